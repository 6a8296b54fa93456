// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Stops the whole platform, or the shares or the trading of single vaults.
abstract contract PauseSwitch is Ownable {
    struct PoolPausedInfo {
        address pool;
        bool pauseShares;
        bool pauseTrading;
    }

    bool public isPaused;
    mapping(address pool => bool) public pausedPools;
    mapping(address pool => bool) public tradingPausedPools;

    event Paused(address account);
    event Unpaused(address account);
    event PoolPauseStatusChanged(address pool, bool pausedShares, bool pausedTrading);

    function pause() external onlyOwner {
        isPaused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner {
        isPaused = false;
        emit Unpaused(msg.sender);
    }

    function setPoolsPaused(PoolPausedInfo[] calldata pools) external onlyOwner {
        for (uint256 i; i < pools.length; i++) {
            PoolPausedInfo calldata info = pools[i];
            pausedPools[info.pool] = info.pauseShares;
            tradingPausedPools[info.pool] = info.pauseTrading;
            emit PoolPauseStatusChanged(info.pool, info.pauseShares, info.pauseTrading);
        }
    }
}
