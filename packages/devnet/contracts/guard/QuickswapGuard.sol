// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IAlgebraRouter} from "../venue/IAlgebra.sol";
import {SwapGuard} from "./SwapGuard.sol";

/// Lets a vault call `exactInputSingle` and `exactInput` of QuickSwap's router.
contract QuickswapGuard is SwapGuard {
    constructor(address accumulator) SwapGuard(accumulator) {}

    function _decode(address, bytes calldata data) internal pure override returns (uint16, Swap memory swap) {
        bytes4 method = bytes4(data);
        if (method == IAlgebraRouter.exactInputSingle.selector) {
            IAlgebraRouter.ExactInputSingleParams memory p =
                abi.decode(data[4:], (IAlgebraRouter.ExactInputSingleParams));
            return (EXCHANGE, Swap(p.tokenIn, p.tokenOut, p.recipient));
        }
        if (method == IAlgebraRouter.exactInput.selector) {
            IAlgebraRouter.ExactInputParams memory p = abi.decode(data[4:], (IAlgebraRouter.ExactInputParams));
            require(p.path.length >= 40, "invalid path");
            return (EXCHANGE, Swap(_addressAt(p.path, 0), _addressAt(p.path, p.path.length - 20), p.recipient));
        }
        return (0, swap);
    }
}
