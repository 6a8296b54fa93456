// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// What we call of Pancake's MasterChefV3: positions are sent to it, and it pays rewards for them.
interface IMasterChefV3 {
    function CAKE() external view returns (address);
    function nonfungiblePositionManager() external view returns (address);
    function pendingCake(uint256 tokenId) external view returns (uint256 reward);
    function harvest(uint256 tokenId, address to) external returns (uint256 reward);
    function withdraw(uint256 tokenId, address to) external returns (uint256 reward);
}
