// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IUniswapV3CorePool, IUniswapV3MintCallback} from "../venue/IUniswapV3.sol";
import {CLFactory} from "./CLFactory.sol";
import {ICLPool} from "./ISlipstream.sol";

/// A pool as Velodrome's are: six values in `slot0`, a gauge. A Uniswap V3 pool behind it holds the tokens; swaps go
/// there.
contract CLPool is ICLPool, IUniswapV3MintCallback {
    CLFactory public immutable factory;
    address public immutable core;
    address public immutable token0;
    address public immutable token1;
    int24 public immutable tickSpacing;
    address public gauge;

    modifier onlyManager() {
        require(msg.sender == factory.positionManager(), "NP");
        _;
    }

    constructor(address core_) {
        factory = CLFactory(msg.sender);
        core = core_;
        token0 = _core().token0();
        token1 = _core().token1();
        tickSpacing = _core().tickSpacing();
    }

    function setGauge(address gauge_) external {
        require(msg.sender == address(factory), "NF");
        gauge = gauge_;
    }

    function fee() external view returns (uint24) {
        return _core().fee();
    }

    function liquidity() external view returns (uint128) {
        return _core().liquidity();
    }

    function slot0()
        external
        view
        returns (
            uint160 sqrtPriceX96,
            int24 tick,
            uint16 observationIndex,
            uint16 observationCardinality,
            uint16 observationCardinalityNext,
            bool unlocked
        )
    {
        (
            sqrtPriceX96, tick, observationIndex, observationCardinality, observationCardinalityNext,, unlocked
        ) = _core().slot0();
    }

    /// The manager's positions of a range, which it shares out itself.
    function positions(int24 tickLower, int24 tickUpper) external view returns (uint256 inside0, uint256 inside1) {
        (, inside0, inside1,,) = _core().positions(keccak256(abi.encodePacked(address(this), tickLower, tickUpper)));
    }

    function mint(int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        onlyManager
        returns (uint256, uint256)
    {
        return _core().mint(address(this), tickLower, tickUpper, amount, data);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        require(msg.sender == core, "NC");
        IUniswapV3MintCallback(factory.positionManager()).uniswapV3MintCallback(amount0, amount1, data);
    }

    /// Of zero liquidity it only brings the fees up to date.
    function burn(int24 tickLower, int24 tickUpper, uint128 amount) external onlyManager returns (uint256, uint256) {
        return _core().burn(tickLower, tickUpper, amount);
    }

    function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1)
        external
        onlyManager
        returns (uint128, uint128)
    {
        return _core().collect(recipient, tickLower, tickUpper, amount0, amount1);
    }

    function _core() private view returns (IUniswapV3CorePool) {
        return IUniswapV3CorePool(core);
    }
}
