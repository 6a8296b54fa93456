// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Bubble} from "./Bubble.sol";
import {Dex, IAggregationRouterV6} from "./IAggregationRouterV6.sol";
import {IUniswapV3Factory, IUniswapV3Pool} from "./IUniswapV3.sol";
import {SwapExecutor} from "./SwapExecutor.sol";

/// Stands in for 1inch's router V6: its selectors, calldata and errors in front of the devnet's Uniswap pools.
contract OneInchRouter is IAggregationRouterV6 {
    using SafeERC20 for IERC20;
    using Dex for uint256;

    uint160 private constant LOWEST_PRICE = 4295128740;
    uint160 private constant HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;

    IUniswapV3Factory private immutable _factory;

    error ZeroMinReturn();
    error ReturnAmountIsNotEnough(uint256 result, uint256 minReturn);
    error BadPool();

    constructor(address factory) {
        _factory = IUniswapV3Factory(factory);
    }

    function swap(address executor, SwapDescription calldata desc, bytes calldata data)
        external
        payable
        returns (uint256 returnAmount, uint256 spentAmount)
    {
        if (desc.minReturnAmount == 0) revert ZeroMinReturn();
        IERC20 bought = IERC20(desc.dstToken);
        uint256 before = bought.balanceOf(address(this));
        IERC20(desc.srcToken).safeTransferFrom(msg.sender, desc.srcReceiver, desc.amount);
        Bubble.call(
            executor, abi.encodePacked(SwapExecutor.execute.selector, abi.encode(msg.sender), data, desc.amount)
        );
        returnAmount = bought.balanceOf(address(this)) - before;
        spentAmount = desc.amount;
        _demand(returnAmount, desc.minReturnAmount);
        bought.safeTransfer(desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver, returnAmount);
    }

    function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) external returns (uint256) {
        uint256[] memory dexes = new uint256[](1);
        dexes[0] = dex;
        return _unoswap(msg.sender, token, amount, minReturn, dexes);
    }

    function unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2)
        external
        returns (uint256)
    {
        uint256[] memory dexes = new uint256[](2);
        (dexes[0], dexes[1]) = (dex, dex2);
        return _unoswap(msg.sender, token, amount, minReturn, dexes);
    }

    function unoswap3(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3)
        external
        returns (uint256)
    {
        uint256[] memory dexes = new uint256[](3);
        (dexes[0], dexes[1], dexes[2]) = (dex, dex2, dex3);
        return _unoswap(msg.sender, token, amount, minReturn, dexes);
    }

    function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex)
        external
        returns (uint256)
    {
        uint256[] memory dexes = new uint256[](1);
        dexes[0] = dex;
        return _unoswap(address(uint160(to)), token, amount, minReturn, dexes);
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        IUniswapV3Pool pool = IUniswapV3Pool(msg.sender);
        address canonical = _factory.getPool(pool.token0(), pool.token1(), pool.fee());
        if (msg.sender != canonical) revert BadPool();
        (address payer, address token) = abi.decode(data, (address, address));
        uint256 owed = uint256(amount0 > 0 ? amount0 : amount1);
        if (payer == address(this)) IERC20(token).safeTransfer(msg.sender, owed);
        else IERC20(token).safeTransferFrom(payer, msg.sender, owed);
    }

    function _unoswap(address to, uint256 token, uint256 amount, uint256 minReturn, uint256[] memory dexes)
        private
        returns (uint256 returnAmount)
    {
        address sold = address(uint160(token));
        address payer = msg.sender;
        returnAmount = amount;
        for (uint256 i; i < dexes.length; i++) {
            if (dexes[i].protocol() != Dex.UNISWAP_V3) revert BadPool();
            address recipient = i + 1 == dexes.length ? to : address(this);
            returnAmount = _sell(dexes[i], recipient, returnAmount, payer, sold);
            IUniswapV3Pool pool = IUniswapV3Pool(dexes[i].pool());
            sold = dexes[i].zeroForOne() ? pool.token1() : pool.token0();
            payer = address(this);
        }
        _demand(returnAmount, minReturn);
    }

    function _sell(uint256 dex, address recipient, uint256 amount, address payer, address sold)
        private
        returns (uint256)
    {
        bool zeroForOne = dex.zeroForOne();
        (int256 amount0, int256 amount1) = IUniswapV3Pool(dex.pool()).swap(
            recipient,
            zeroForOne,
            int256(amount),
            zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE,
            abi.encode(payer, sold)
        );
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function _demand(uint256 result, uint256 minReturn) private pure {
        if (result < minReturn) revert ReturnAmountIsNotEnough(result, minReturn);
    }
}
