// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// The function of Odos's router V3 a vault may call here; `swapCompact` packs the same and is not built.
interface IOdosRouterV3 {
    struct SwapTokenInfo {
        address inputToken;
        uint256 inputAmount;
        address inputReceiver;
        address outputToken;
        uint256 outputQuote;
        uint256 outputMin;
        address outputReceiver;
    }

    struct SwapReferralInfo {
        uint64 code;
        uint64 fee;
        address feeRecipient;
    }

    function swap(
        SwapTokenInfo calldata tokenInfo,
        bytes calldata pathDefinition,
        address executor,
        SwapReferralInfo calldata referralInfo
    ) external payable returns (uint256 amountOut);
}
