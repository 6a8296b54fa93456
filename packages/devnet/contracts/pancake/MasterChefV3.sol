// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IPositionManager, IUniswapV3Factory} from "../venue/IUniswapV3.sol";
import {StakedRewards} from "../venue/StakedRewards.sol";
import {IMasterChefV3} from "./IMasterChefV3.sol";

/// Pancake's staking contract. A position is staked by sending it here; whoever sent it may harvest and withdraw. Its
/// fees go on accruing to the position.
contract MasterChefV3 is IMasterChefV3, IERC721Receiver, StakedRewards, Ownable {
    using SafeERC20 for IERC20;

    error NotPancakeNFT();
    error InvalidNFT();
    error NotOwner();
    error NoLiquidity();

    address public immutable nonfungiblePositionManager;
    mapping(address pool => bool) public isRewarded;
    mapping(uint256 tokenId => address) public userOf;

    event Deposit(address indexed from, uint256 indexed tokenId, uint256 liquidity);
    event Withdraw(address indexed from, address to, uint256 indexed tokenId);
    event Harvest(address indexed sender, address to, uint256 indexed tokenId, uint256 reward);

    constructor(address manager, address cake, uint256 rate) StakedRewards(cake, rate) Ownable(msg.sender) {
        nonfungiblePositionManager = manager;
    }

    function CAKE() external view returns (address) {
        return rewardToken;
    }

    function add(address pool) external onlyOwner {
        isRewarded[pool] = true;
    }

    function onERC721Received(address, address from, uint256 tokenId, bytes calldata) external returns (bytes4) {
        if (msg.sender != nonfungiblePositionManager) revert NotPancakeNFT();
        IPositionManager manager = IPositionManager(msg.sender);
        IPositionManager.Position memory p = manager.positions(tokenId);
        if (!isRewarded[IUniswapV3Factory(manager.factory()).getPool(p.token0, p.token1, p.fee)]) revert InvalidNFT();
        if (p.liquidity == 0) revert NoLiquidity();
        userOf[tokenId] = from;
        _stake(tokenId, p.liquidity);
        emit Deposit(from, tokenId, p.liquidity);
        return this.onERC721Received.selector;
    }

    function pendingCake(uint256 tokenId) external view returns (uint256) {
        return _earned(tokenId);
    }

    function harvest(uint256 tokenId, address to) external returns (uint256) {
        return _harvest(tokenId, to);
    }

    function withdraw(uint256 tokenId, address to) external returns (uint256 reward) {
        reward = _harvest(tokenId, to);
        _unstake(tokenId);
        delete userOf[tokenId];
        IERC721(nonfungiblePositionManager).safeTransferFrom(address(this), to, tokenId);
        emit Withdraw(msg.sender, to, tokenId);
    }

    function _harvest(uint256 tokenId, address to) private returns (uint256 reward) {
        if (userOf[tokenId] != msg.sender) revert NotOwner();
        reward = _take(tokenId);
        if (reward > 0) IERC20(rewardToken).safeTransfer(to, reward);
        emit Harvest(msg.sender, to, tokenId, reward);
    }
}
