// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ITxTrackingGuard} from "./ITxTrackingGuard.sol";
import {SlippageAccumulator} from "./SlippageAccumulator.sol";

/// What every guard of a router does: the vault gets the asset, supports it, and is charged the loss.
abstract contract SwapGuard is ITxTrackingGuard {
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

    uint16 internal constant EXCHANGE = 2;
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
        (txType, swap) = _decode(pool, data);
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

    /// The swap a call makes for `pool`; type 0 when it is no call of ours.
    function _decode(address pool, bytes calldata data) internal virtual returns (uint16 txType, Swap memory swap);

    /// Recording balances changes state, so only the vault itself may ask.
    function _onlyPool(address poolManagerLogic) private view returns (address pool) {
        pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        require(msg.sender == pool, "only pool");
    }

    function _addressAt(bytes memory packed, uint256 start) internal pure returns (address found) {
        assembly ("memory-safe") {
            found := shr(96, mload(add(add(packed, 32), start)))
        }
    }
}
