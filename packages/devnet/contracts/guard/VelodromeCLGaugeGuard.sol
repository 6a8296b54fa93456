// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ICLGauge} from "../slipstream/ISlipstream.sol";
import {IGuard} from "./IGuard.sol";

/// Lets a vault stake its positions in a gauge, take them back and claim their rewards; all three pay the caller alone.
contract VelodromeCLGaugeGuard is IGuard {
    uint16 private constant STAKE = 65;
    uint16 private constant UNSTAKE = 66;
    uint16 private constant CLAIM = 67;

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        bytes4 method = bytes4(data);
        if (method == ICLGauge.withdraw.selector) return (UNSTAKE, false);
        if (method == ICLGauge.getReward.selector) return (CLAIM, false);
        if (method != ICLGauge.deposit.selector) return (0, false);
        address manager = ICLGauge(to).nft();
        require(PoolManagerLogic(poolManagerLogic).isSupportedAsset(manager), "velodrome cl asset not enabled");
        return (STAKE, false);
    }
}
