// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ISwapRouter02} from "./ISwapRouter02.sol";
import {SwapGuard} from "./SwapGuard.sol";

/// Lets a vault swap through SwapRouter02 into assets it supports.
contract UniswapV3RouterGuard is SwapGuard {
    uint16 private constant MULTICALL = 25;

    constructor(address accumulator) SwapGuard(accumulator) {}

    function _decode(address, bytes calldata data) internal pure override returns (uint16 txType, Swap memory swap) {
        if (data.length < 4) return (0, swap);
        if (bytes4(data) != ISwapRouter02.multicall.selector) return _decodeSwap(data);
        (, bytes[] memory calls) = abi.decode(data[4:], (uint256, bytes[]));
        require(calls.length == 1, "invalid multicall");
        (txType, swap) = _decodeSwap(calls[0]);
        require(txType > 0, "invalid transaction");
        txType = MULTICALL;
    }

    function _decodeSwap(bytes memory data) private pure returns (uint16, Swap memory swap) {
        bytes4 method = bytes4(data);
        if (method == ISwapRouter02.exactInputSingle.selector) {
            ISwapRouter02.ExactInputSingleParams memory p =
                abi.decode(_arguments(data), (ISwapRouter02.ExactInputSingleParams));
            return (EXCHANGE, Swap(p.tokenIn, p.tokenOut, p.recipient));
        }
        if (method == ISwapRouter02.exactOutputSingle.selector) {
            ISwapRouter02.ExactOutputSingleParams memory p =
                abi.decode(_arguments(data), (ISwapRouter02.ExactOutputSingleParams));
            return (EXCHANGE, Swap(p.tokenIn, p.tokenOut, p.recipient));
        }
        if (method == ISwapRouter02.exactInput.selector) {
            ISwapRouter02.ExactInputParams memory p = abi.decode(_arguments(data), (ISwapRouter02.ExactInputParams));
            return (EXCHANGE, Swap(_firstToken(p.path), _lastToken(p.path), p.recipient));
        }
        if (method == ISwapRouter02.exactOutput.selector) {
            // The path of an exact output runs from what is bought to what is sold.
            ISwapRouter02.ExactOutputParams memory p = abi.decode(_arguments(data), (ISwapRouter02.ExactOutputParams));
            return (EXCHANGE, Swap(_lastToken(p.path), _firstToken(p.path), p.recipient));
        }
        return (0, swap);
    }

    function _arguments(bytes memory data) private pure returns (bytes memory arguments) {
        arguments = new bytes(data.length - 4);
        assembly ("memory-safe") {
            mcopy(add(arguments, 32), add(data, 36), mload(arguments))
        }
    }

    function _firstToken(bytes memory path) private pure returns (address) {
        require(path.length >= 43, "invalid path");
        return _addressAt(path, 0);
    }

    function _lastToken(bytes memory path) private pure returns (address) {
        require(path.length >= 43, "invalid path");
        return _addressAt(path, path.length - 20);
    }
}
