// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// What we call of Velodrome's concentrated-liquidity factory: pools of a pair differ by their tick spacing.
interface ICLFactory {
    function getPool(address tokenA, address tokenB, int24 tickSpacing) external view returns (address pool);
}

/// What we call of a pool.
interface ICLPool {
    /// The Uniswap V3 pool behind this one. Only the devnet has it.
    function core() external view returns (address);
    function gauge() external view returns (address);
}

/// The structs of Velodrome's position manager that differ from Uniswap's.
interface ICLPositionManager {
    struct MintParams {
        address token0;
        address token1;
        int24 tickSpacing;
        int24 tickLower;
        int24 tickUpper;
        uint256 amount0Desired;
        uint256 amount1Desired;
        uint256 amount0Min;
        uint256 amount1Min;
        address recipient;
        uint256 deadline;
        /// Not zero: the pool is created at this price.
        uint160 sqrtPriceX96;
    }

    function mint(MintParams calldata params) external payable returns (uint256, uint128, uint256, uint256);
}

/// What we call of a gauge: it holds staked positions and pays rewards for them.
interface ICLGauge {
    function nft() external view returns (address);
    function pool() external view returns (address);
    function rewardToken() external view returns (address);
    function deposit(uint256 tokenId) external;
    function withdraw(uint256 tokenId) external;
    function getReward(uint256 tokenId) external;
    function earned(address account, uint256 tokenId) external view returns (uint256);
    function stakedContains(address depositor, uint256 tokenId) external view returns (bool);
}
