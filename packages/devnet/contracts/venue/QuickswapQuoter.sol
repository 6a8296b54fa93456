// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {AlgebraPaths} from "./AlgebraPaths.sol";
import {IAlgebraQuoter} from "./IAlgebra.sol";
import {IQuoterV2} from "./IUniswapV3.sol";

/// Stands in for QuickSwap's quoter. Not view, as the real one is not: call it, do not send to it.
contract QuickswapQuoter is AlgebraPaths, IAlgebraQuoter {
    IQuoterV2 private immutable _quoter;

    constructor(address factory, address quoter) AlgebraPaths(factory) {
        _quoter = IQuoterV2(quoter);
    }

    function quoteExactInputSingle(address tokenIn, address tokenOut, uint256 amountIn, uint160)
        external
        returns (uint256 amountOut, uint16 fee)
    {
        uint16[] memory fees;
        (amountOut, fees) = quoteExactInput(abi.encodePacked(tokenIn, tokenOut), amountIn);
        fee = fees[0];
    }

    function quoteExactInput(bytes memory path, uint256 amountIn)
        public
        returns (uint256 amountOut, uint16[] memory fees)
    {
        bytes memory uniswapPath;
        (uniswapPath, fees) = _uniswapPath(path);
        (amountOut,,,) = _quoter.quoteExactInput(uniswapPath, amountIn);
    }
}
