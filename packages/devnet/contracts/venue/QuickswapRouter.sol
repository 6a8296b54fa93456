// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ISwapRouter02} from "../guard/ISwapRouter02.sol";
import {AlgebraPaths} from "./AlgebraPaths.sol";
import {IAlgebraRouter} from "./IAlgebra.sol";

/// Stands in for QuickSwap's router: Algebra's calls in front of the devnet's Uniswap pools.
contract QuickswapRouter is AlgebraPaths, IAlgebraRouter {
    using SafeERC20 for IERC20;

    ISwapRouter02 private immutable _router;

    modifier before(uint256 deadline) {
        require(block.timestamp <= deadline, "Transaction too old");
        _;
    }

    constructor(address factory, address router) AlgebraPaths(factory) {
        _router = ISwapRouter02(router);
    }

    function exactInputSingle(ExactInputSingleParams calldata params)
        external
        payable
        before(params.deadline)
        returns (uint256)
    {
        require(params.limitSqrtPrice == 0, "no price limits here");
        bytes memory path = abi.encodePacked(params.tokenIn, params.tokenOut);
        return _sell(path, params.recipient, params.amountIn, params.amountOutMinimum);
    }

    function exactInput(ExactInputParams calldata params) external payable before(params.deadline) returns (uint256) {
        return _sell(params.path, params.recipient, params.amountIn, params.amountOutMinimum);
    }

    function _sell(bytes memory path, address recipient, uint256 amountIn, uint256 amountOutMinimum)
        private
        returns (uint256)
    {
        IERC20 sold = IERC20(_tokenAt(path, 0));
        (bytes memory uniswapPath,) = _uniswapPath(path);
        sold.safeTransferFrom(msg.sender, address(this), amountIn);
        sold.forceApprove(address(_router), amountIn);
        return _router.exactInput(
            ISwapRouter02.ExactInputParams(uniswapPath, recipient, amountIn, amountOutMinimum)
        );
    }
}
