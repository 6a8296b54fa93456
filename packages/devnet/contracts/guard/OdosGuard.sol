// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IOdosRouterV3} from "../venue/IOdosRouterV3.sol";
import {SwapGuard} from "./SwapGuard.sol";

/// Lets a vault call `swap` of Odos's router: no native money, no referral fee, a named amount.
contract OdosGuard is SwapGuard {
    constructor(address accumulator) SwapGuard(accumulator) {}

    function _decode(address, bytes calldata data) internal pure override returns (uint16, Swap memory swap) {
        if (bytes4(data) != IOdosRouterV3.swap.selector) return (0, swap);
        (IOdosRouterV3.SwapTokenInfo memory info,,, IOdosRouterV3.SwapReferralInfo memory referral) =
            abi.decode(data[4:], (IOdosRouterV3.SwapTokenInfo, bytes, address, IOdosRouterV3.SwapReferralInfo));
        require(info.inputToken != address(0), "native input not allowed");
        require(info.inputAmount > 0, "0 input amount");
        require(referral.fee == 0, "referral fee not allowed");
        return (EXCHANGE, Swap(info.inputToken, info.outputToken, info.outputReceiver));
    }
}
