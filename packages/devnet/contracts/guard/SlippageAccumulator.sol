// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";

/// A vault's loss to swaps by oracle prices, summed up in parts of 1e6 and decaying linearly to nothing.
contract SlippageAccumulator is Ownable {
    struct SwapData {
        address srcAsset;
        address dstAsset;
        uint256 srcAmount;
        uint256 dstAmount;
    }

    struct ManagerSlippageData {
        uint64 lastTradeTimestamp;
        uint128 accumulatedSlippage;
    }

    uint128 private constant SCALING_FACTOR = 1e6;

    address public immutable poolFactory;
    uint64 public decayTime;
    uint128 public maxCumulativeSlippage;

    mapping(address poolManagerLogic => ManagerSlippageData) public managerData;

    event DecayTimeChanged(uint64 oldDecayTime, uint64 newDecayTime);
    event MaxCumulativeSlippageChanged(uint128 oldMaxCumulativeSlippage, uint128 newMaxCumulativeSlippage);

    constructor(address poolFactory_, uint64 decayTime_, uint128 maxCumulativeSlippage_) Ownable(msg.sender) {
        poolFactory = poolFactory_;
        decayTime = decayTime_;
        maxCumulativeSlippage = maxCumulativeSlippage_;
    }

    /// Called by the guard of `router` after a swap. Sources the vault does not support have no value to lose.
    function updateSlippageImpact(address poolManagerLogic, address router, SwapData calldata swap) external {
        require(PoolFactory(poolFactory).getContractGuard(router) == msg.sender, "only authorized guard");
        if (!PoolManagerLogic(poolManagerLogic).isSupportedAsset(swap.srcAsset)) return;
        uint128 slippage = _slippage(poolManagerLogic, swap);
        if (slippage == 0) return;
        uint128 cumulative = getCumulativeSlippageImpact(poolManagerLogic) + slippage;
        require(cumulative < maxCumulativeSlippage, "slippage impact exceeded");
        managerData[poolManagerLogic] = ManagerSlippageData(uint64(block.timestamp), cumulative);
    }

    function getCumulativeSlippageImpact(address poolManagerLogic) public view returns (uint128) {
        ManagerSlippageData memory data = managerData[poolManagerLogic];
        uint256 elapsed = block.timestamp - data.lastTradeTimestamp;
        if (elapsed >= decayTime) return 0;
        return uint128(data.accumulatedSlippage * (decayTime - elapsed) / decayTime);
    }

    function setDecayTime(uint64 newDecayTime) external onlyOwner {
        emit DecayTimeChanged(decayTime, newDecayTime);
        decayTime = newDecayTime;
    }

    function setMaxCumulativeSlippage(uint128 newMaximum) external onlyOwner {
        emit MaxCumulativeSlippageChanged(maxCumulativeSlippage, newMaximum);
        maxCumulativeSlippage = newMaximum;
    }

    function _slippage(address poolManagerLogic, SwapData calldata swap) private view returns (uint128) {
        require(swap.srcAmount > 0, "0 src amount");
        uint256 srcValue = PoolManagerLogic(poolManagerLogic).assetValue(swap.srcAsset, swap.srcAmount);
        uint256 dstValue = PoolManagerLogic(poolManagerLogic).assetValue(swap.dstAsset, swap.dstAmount);
        if (dstValue >= srcValue) return 0;
        return uint128((srcValue - dstValue) * SCALING_FACTOR / srcValue);
    }
}
