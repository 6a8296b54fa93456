// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Dex, IAggregationRouterV6} from "../venue/IAggregationRouterV6.sol";
import {IUniswapV3Factory, IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {SwapGuard} from "./SwapGuard.sol";

/// Lets a vault call `swap` and `unoswap`, `2`, `3` of 1inch's router; pools of an unoswap must be Uniswap's own.
contract OneInchGuard is SwapGuard {
    using Dex for uint256;

    IUniswapV3Factory private immutable _factory;

    constructor(address accumulator, address uniswapV3Factory) SwapGuard(accumulator) {
        _factory = IUniswapV3Factory(uniswapV3Factory);
    }

    function _decode(address pool, bytes calldata data) internal view override returns (uint16, Swap memory swap) {
        bytes4 method = bytes4(data);
        if (method == IAggregationRouterV6.swap.selector) {
            (, IAggregationRouterV6.SwapDescription memory desc,) =
                abi.decode(data[4:], (address, IAggregationRouterV6.SwapDescription, bytes));
            return (EXCHANGE, Swap(desc.srcToken, desc.dstToken, desc.dstReceiver));
        }
        uint256 hops = _hops(method);
        if (hops == 0) return (0, swap);
        address srcAsset = address(uint160(abi.decode(data[4:], (uint256))));
        address dstAsset = srcAsset;
        for (uint256 i; i < hops; i++) {
            // The legs follow token, amount and minimum.
            dstAsset = _bought(dstAsset, abi.decode(data[100 + 32 * i:], (uint256)));
        }
        return (EXCHANGE, Swap(srcAsset, dstAsset, pool));
    }

    function _hops(bytes4 method) private pure returns (uint256) {
        if (method == IAggregationRouterV6.unoswap.selector) return 1;
        if (method == IAggregationRouterV6.unoswap2.selector) return 2;
        return method == IAggregationRouterV6.unoswap3.selector ? 3 : 0;
    }

    function _bought(address sold, uint256 dex) private view returns (address) {
        require(dex.protocol() == Dex.UNISWAP_V3, "uniV2 pool invalid");
        address pool = dex.pool();
        require(dex.isPlain() && pool.code.length > 0, "uniV3 pool invalid");
        (address token0, address token1) = (IUniswapV3Pool(pool).token0(), IUniswapV3Pool(pool).token1());
        require(_factory.getPool(token0, token1, IUniswapV3Pool(pool).fee()) == pool, "uniV3 pool invalid");
        require(sold == (dex.zeroForOne() ? token0 : token1), "direction mismatch");
        return sold == token0 ? token1 : token0;
    }
}
