// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ISwapRouter02} from "./ISwapRouter02.sol";
import {ITxTrackingGuard} from "./ITxTrackingGuard.sol";
import {SlippageAccumulator} from "./SlippageAccumulator.sol";

/// Lets a vault swap through SwapRouter02 into assets it supports, and charges the loss to its slippage budget.
contract UniswapV3RouterGuard is ITxTrackingGuard {
    struct Swap {
        address srcAsset;
        address dstAsset;
        address recipient;
    }

    /// Balances of a vault just before its swap.
    struct Before {
        address srcAsset;
        address dstAsset;
        uint256 srcBalance;
        uint256 dstBalance;
    }

    uint16 private constant EXCHANGE = 2;
    uint16 private constant MULTICALL = 25;
    bool public constant isTxTrackingGuard = true;
    SlippageAccumulator public immutable slippageAccumulator;

    mapping(address pool => Before) private _before;

    constructor(address accumulator) {
        slippageAccumulator = SlippageAccumulator(accumulator);
    }

    function txGuard(address poolManagerLogic, address, bytes calldata data)
        external
        returns (uint16 txType, bool isPublic)
    {
        address pool = _onlyPool(poolManagerLogic);
        Swap memory swap;
        (txType, swap) = _decode(data);
        if (txType == 0) return (0, false);
        require(PoolManagerLogic(poolManagerLogic).isSupportedAsset(swap.dstAsset), "unsupported destination asset");
        require(swap.recipient == pool, "recipient is not pool");
        _before[pool] = Before(
            swap.srcAsset,
            swap.dstAsset,
            IERC20(swap.srcAsset).balanceOf(pool),
            IERC20(swap.dstAsset).balanceOf(pool)
        );
    }

    function afterTxGuard(address poolManagerLogic, address to, bytes calldata) external {
        address pool = _onlyPool(poolManagerLogic);
        Before memory before = _before[pool];
        delete _before[pool];
        slippageAccumulator.updateSlippageImpact(
            poolManagerLogic,
            to,
            SlippageAccumulator.SwapData(
                before.srcAsset,
                before.dstAsset,
                before.srcBalance - IERC20(before.srcAsset).balanceOf(pool),
                IERC20(before.dstAsset).balanceOf(pool) - before.dstBalance
            )
        );
    }

    /// Recording balances changes state, so only the vault itself may ask.
    function _onlyPool(address poolManagerLogic) private view returns (address pool) {
        pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        require(msg.sender == pool, "only pool");
    }

    function _decode(bytes memory data) private pure returns (uint16 txType, Swap memory swap) {
        if (data.length < 4) return (0, swap);
        if (bytes4(data) != ISwapRouter02.multicall.selector) return _decodeSwap(data);
        (, bytes[] memory calls) = abi.decode(_arguments(data), (uint256, bytes[]));
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

    function _firstToken(bytes memory path) private pure returns (address token) {
        require(path.length >= 43, "invalid path");
        assembly ("memory-safe") {
            token := shr(96, mload(add(path, 32)))
        }
    }

    function _lastToken(bytes memory path) private pure returns (address token) {
        require(path.length >= 43, "invalid path");
        assembly ("memory-safe") {
            token := shr(96, mload(add(path, add(12, mload(path)))))
        }
    }
}
