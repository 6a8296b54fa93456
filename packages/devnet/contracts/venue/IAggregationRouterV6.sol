// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// The functions of 1inch's router V6 a vault may call. Addresses of `unoswap` are packed into words with flags.
interface IAggregationRouterV6 {
    struct SwapDescription {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
    }

    function swap(address executor, SwapDescription calldata desc, bytes calldata data)
        external
        payable
        returns (uint256 returnAmount, uint256 spentAmount);

    function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) external returns (uint256);

    function unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2)
        external
        returns (uint256);

    function unoswap3(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)
        external
        returns (uint256);

    /// As `unoswap`, paying somebody else: real, and refused by the guard.
    function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex)
        external
        returns (uint256);
}

/// One leg of an `unoswap` as the router packs it into a word.
library Dex {
    uint256 internal constant UNISWAP_V3 = 1;
    uint256 private constant UNWRAP_WETH = 1 << 252;
    uint256 private constant USE_PERMIT2 = 1 << 250;

    function protocol(uint256 dex) internal pure returns (uint256) {
        return dex >> 253;
    }

    function pool(uint256 dex) internal pure returns (address) {
        return address(uint160(dex));
    }

    function zeroForOne(uint256 dex) internal pure returns (bool) {
        return (dex >> 247) & 1 == 1;
    }

    function isPlain(uint256 dex) internal pure returns (bool) {
        return dex & (UNWRAP_WETH | USE_PERMIT2) == 0;
    }
}
