// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IMetaAggregationRouterV2} from "../venue/IMetaAggregationRouterV2.sol";
import {SwapGuard} from "./SwapGuard.sol";

/// Lets a vault call `swap` and `swapSimpleMode` of KyberSwap's router, without fees and without a permit.
contract KyberSwapGuard is SwapGuard {
    constructor(address accumulator) SwapGuard(accumulator) {}

    function _decode(address, bytes calldata data) internal pure override returns (uint16, Swap memory swap) {
        bytes4 method = bytes4(data);
        if (method == IMetaAggregationRouterV2.swap.selector) {
            IMetaAggregationRouterV2.SwapExecutionParams memory execution =
                abi.decode(data[4:], (IMetaAggregationRouterV2.SwapExecutionParams));
            return (EXCHANGE, _plain(execution.desc));
        }
        if (method == IMetaAggregationRouterV2.swapSimpleMode.selector) {
            (, IMetaAggregationRouterV2.SwapDescriptionV2 memory desc,,) =
                abi.decode(data[4:], (address, IMetaAggregationRouterV2.SwapDescriptionV2, bytes, bytes));
            return (EXCHANGE, _plain(desc));
        }
        return (0, swap);
    }

    function _plain(IMetaAggregationRouterV2.SwapDescriptionV2 memory desc) private pure returns (Swap memory) {
        require(desc.feeReceivers.length == 0, "fee receivers not allowed");
        require(desc.permit.length == 0, "permit not allowed");
        return Swap(desc.srcToken, desc.dstToken, desc.dstReceiver);
    }
}
