// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IUniswapV3CoreFactory, IUniswapV3CorePool} from "../venue/IUniswapV3.sol";
import {CLPool} from "./CLPool.sol";

/// Velodrome's factory of concentrated-liquidity pools. Each pool has one of Uniswap V3 behind it, whose fee belongs
/// to the tick spacing.
contract CLFactory is Ownable {
    IUniswapV3CoreFactory public immutable core;
    /// Set once; pools take liquidity from it alone.
    address public positionManager;

    int24[] private _spacings;
    /// In hundredths of a basis point.
    mapping(int24 tickSpacing => uint24 fee) public tickSpacingToFee;
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;

    event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool);

    constructor(address core_) Ownable(msg.sender) {
        core = IUniswapV3CoreFactory(core_);
    }

    function setPositionManager(address manager) external onlyOwner {
        require(positionManager == address(0), "set");
        positionManager = manager;
    }

    function enableTickSpacing(int24 tickSpacing, uint24 fee) external onlyOwner {
        require(core.feeAmountTickSpacing(fee) == tickSpacing, "fee of another spacing");
        require(tickSpacingToFee[tickSpacing] == 0, "enabled");
        tickSpacingToFee[tickSpacing] = fee;
        _spacings.push(tickSpacing);
    }

    function tickSpacings() external view returns (int24[] memory) {
        return _spacings;
    }

    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)
        external
        returns (address pool)
    {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(getPool[token0][token1][tickSpacing] == address(0), "exists");
        IUniswapV3CorePool behind = IUniswapV3CorePool(core.createPool(token0, token1, tickSpacingToFee[tickSpacing]));
        behind.initialize(sqrtPriceX96);
        pool = address(new CLPool(address(behind)));
        getPool[token0][token1][tickSpacing] = pool;
        getPool[token1][token0][tickSpacing] = pool;
        emit PoolCreated(token0, token1, tickSpacing, pool);
    }

    function setGauge(address pool, address gauge) external onlyOwner {
        CLPool(pool).setGauge(gauge);
    }
}
