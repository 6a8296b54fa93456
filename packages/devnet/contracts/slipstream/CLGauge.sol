// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IPositionManager} from "../venue/IUniswapV3.sol";
import {StakedRewards} from "../venue/StakedRewards.sol";
import {ICLFactory} from "./ISlipstream.sol";

/// A gauge of Velodrome's: holds positions of its pool, pays rewards for them and keeps the fees they earn meanwhile.
contract CLGauge is StakedRewards {
    using SafeERC20 for IERC20;

    address public immutable nft;
    address public immutable pool;

    mapping(address depositor => mapping(uint256 tokenId => bool)) public stakedContains;

    event Deposit(address indexed user, uint256 indexed tokenId, uint128 indexed liquidityToStake);
    event Withdraw(address indexed user, uint256 indexed tokenId, uint128 indexed liquidityToStake);
    event ClaimRewards(address indexed from, uint256 amount);

    constructor(address nft_, address pool_, address rewardToken_, uint256 rewardRate_)
        StakedRewards(rewardToken_, rewardRate_)
    {
        nft = nft_;
        pool = pool_;
    }

    function deposit(uint256 tokenId) external {
        IPositionManager manager = IPositionManager(nft);
        IPositionManager.Position memory p = manager.positions(tokenId);
        require(IERC721(nft).ownerOf(tokenId) == msg.sender, "NA");
        require(
            ICLFactory(manager.factory()).getPool(p.token0, p.token1, int24(p.fee)) == pool, "PM"
        );
        IERC721(nft).transferFrom(msg.sender, address(this), tokenId);
        _collect(tokenId, msg.sender);
        stakedContains[msg.sender][tokenId] = true;
        _stake(tokenId, p.liquidity);
        emit Deposit(msg.sender, tokenId, p.liquidity);
    }

    function withdraw(uint256 tokenId) external {
        _pay(tokenId);
        uint128 liquidity = _unstake(tokenId);
        delete stakedContains[msg.sender][tokenId];
        // Fees of staked positions belong to the exchange's voters.
        _collect(tokenId, address(this));
        IERC721(nft).safeTransferFrom(address(this), msg.sender, tokenId);
        emit Withdraw(msg.sender, tokenId, liquidity);
    }

    function getReward(uint256 tokenId) external {
        _pay(tokenId);
    }

    function earned(address account, uint256 tokenId) external view returns (uint256) {
        require(stakedContains[account][tokenId], "NA");
        return _earned(tokenId);
    }

    function _pay(uint256 tokenId) private {
        require(stakedContains[msg.sender][tokenId], "NA");
        uint256 amount = _take(tokenId);
        if (amount == 0) return;
        IERC20(rewardToken).safeTransfer(msg.sender, amount);
        emit ClaimRewards(msg.sender, amount);
    }

    function _collect(uint256 tokenId, address recipient) private {
        IPositionManager(nft).collect(
            IPositionManager.CollectParams(tokenId, recipient, type(uint128).max, type(uint128).max)
        );
    }
}
