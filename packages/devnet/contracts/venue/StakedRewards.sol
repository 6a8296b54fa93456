// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Rewards that accrue every second and are shared by staked liquidity. Live ones reward only liquidity in range.
abstract contract StakedRewards {
    address public immutable rewardToken;
    /// Smallest units a second, while anything is staked.
    uint256 public immutable rewardRate;

    uint256 private _staked;
    /// Reward of one unit of liquidity so far, of 128 binary places.
    uint256 private _perUnit;
    uint256 private _updated;
    mapping(uint256 tokenId => uint128) internal _liquidity;
    mapping(uint256 tokenId => uint256) private _paidTo;

    constructor(address rewardToken_, uint256 rewardRate_) {
        rewardToken = rewardToken_;
        rewardRate = rewardRate_;
    }

    function _stake(uint256 tokenId, uint128 liquidity) internal {
        _update();
        _staked += liquidity;
        _liquidity[tokenId] = liquidity;
        _paidTo[tokenId] = _perUnit;
    }

    function _unstake(uint256 tokenId) internal returns (uint128 liquidity) {
        _update();
        liquidity = _liquidity[tokenId];
        _staked -= liquidity;
        delete _liquidity[tokenId];
    }

    /// What a position is owed, which from now on is nothing.
    function _take(uint256 tokenId) internal returns (uint256 amount) {
        amount = _earned(tokenId);
        _update();
        _paidTo[tokenId] = _perUnit;
    }

    function _earned(uint256 tokenId) internal view returns (uint256) {
        return Math.mulDiv(_current() - _paidTo[tokenId], _liquidity[tokenId], 1 << 128);
    }

    function _update() private {
        _perUnit = _current();
        _updated = block.timestamp;
    }

    function _current() private view returns (uint256) {
        if (_staked == 0) return _perUnit;
        return _perUnit + Math.mulDiv((block.timestamp - _updated) * rewardRate, 1 << 128, _staked);
    }
}
