// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Asset} from "./Asset.sol";
import {PoolExecution} from "./PoolExecution.sol";
import {PoolFactory} from "./PoolFactory.sol";
import {PoolFees} from "./PoolFees.sol";
import {PoolManagerLogic} from "./PoolManagerLogic.sol";

/// The vault: holds the assets, issues vault tokens, executes guarded calls. Entry and exit fees are reported, not charged.
contract PoolLogic is PoolExecution, PoolFees {
    using SafeERC20 for IERC20;

    struct FundSummary {
        string name;
        uint256 totalSupply;
        uint256 totalFundValue;
        address manager;
        string managerName;
        uint256 creationTime;
        bool privatePool;
        uint256 performanceFeeNumerator;
        uint256 managerFeeNumerator;
        uint256 managerFeeDenominator;
        uint256 exitFeeNumerator;
        uint256 exitFeeDenominator;
        uint256 entryFeeNumerator;
    }

    struct WithdrawnAsset {
        address asset;
        uint256 amount;
        bool externalWithdrawProcessed;
    }

    /// Smaller mints are refused, so nobody can inflate the price of the first token.
    uint256 private constant MINIMUM_LIQUIDITY = 100_000;

    mapping(address investor => uint256 time) public lastDeposit;

    event Deposit(
        address fundAddress,
        address investor,
        address assetDeposited,
        uint256 amountDeposited,
        uint256 valueDeposited,
        uint256 fundTokensReceived,
        uint256 totalInvestorFundTokens,
        uint256 fundValue,
        uint256 totalSupply,
        uint256 time
    );
    event Withdrawal(
        address fundAddress,
        address investor,
        uint256 valueWithdrawn,
        uint256 fundTokensWithdrawn,
        uint256 totalInvestorFundTokens,
        uint256 fundValue,
        uint256 totalSupply,
        WithdrawnAsset[] withdrawnAssets,
        uint256 time
    );
    event PoolManagerLogicSet(address poolManagerLogic, address from);

    function initialize(
        address factory_,
        bool privatePool_,
        string memory name_,
        string memory symbol_,
        address poolManagerLogic_
    ) external {
        _initialize(factory_, privatePool_, name_, symbol_, poolManagerLogic_);
        _initializeFees();
        emit PoolManagerLogicSet(poolManagerLogic_, msg.sender);
    }

    function deposit(address _asset, uint256 _amount)
        external
        nonReentrant
        whenSharesNotPaused
        returns (uint256 minted)
    {
        _lockOperation(Operation.Deposit);
        require(!privatePool || msg.sender == _managerLogic().manager(), "only members allowed");
        require(_managerLogic().isDepositAsset(_asset), "dh8");

        uint256 fundValue = _mintManagerFee();
        uint256 supply = totalSupply();
        IERC20(_asset).safeTransferFrom(msg.sender, address(this), _amount);
        uint256 value = _managerLogic().assetValue(_asset, _amount);
        minted = supply > 0 && fundValue > 0 ? value * supply / fundValue : value;
        require(minted >= MINIMUM_LIQUIDITY, "dh10");

        lastDeposit[msg.sender] = block.timestamp;
        _mint(msg.sender, minted);
        emit Deposit(
            address(this),
            msg.sender,
            _asset,
            _amount,
            value,
            minted,
            balanceOf(msg.sender),
            fundValue + value,
            totalSupply(),
            block.timestamp
        );
        PoolFactory(factory).emitPoolEvent();
    }

    /// Pays out the investor's share of every plain token the vault holds.
    function withdraw(uint256 _fundTokenAmount) external nonReentrant whenSharesNotPaused {
        _lockOperation(Operation.Withdrawal);
        require(getExitRemainingCooldown(msg.sender) == 0, "dh3");
        require(balanceOf(msg.sender) >= _fundTokenAmount, "dh12");

        uint256 fundValue = _mintManagerFee();
        uint256 supply = totalSupply();
        uint256 value = fundValue * _fundTokenAmount / supply;
        _burn(msg.sender, _fundTokenAmount);
        WithdrawnAsset[] memory withdrawn = _payOut(msg.sender, _fundTokenAmount, supply);
        emit Withdrawal(
            address(this),
            msg.sender,
            value,
            _fundTokenAmount,
            balanceOf(msg.sender),
            fundValue - value,
            totalSupply(),
            withdrawn,
            block.timestamp
        );
        PoolFactory(factory).emitPoolEvent();
    }

    function getExitRemainingCooldown(address _sender) public view returns (uint256) {
        uint256 end = lastDeposit[_sender] + PoolFactory(factory).getExitCooldown();
        return end > block.timestamp ? end - block.timestamp : 0;
    }

    function getFundSummary() external view returns (FundSummary memory) {
        PoolManagerLogic logic = _managerLogic();
        (uint256 performance, uint256 management, uint256 entry, uint256 exit, uint256 denominator) = logic.getFee();
        return FundSummary({
            name: name(),
            totalSupply: totalSupply(),
            totalFundValue: logic.totalFundValue(),
            manager: logic.manager(),
            managerName: logic.managerName(),
            creationTime: creationTime,
            privatePool: privatePool,
            performanceFeeNumerator: performance,
            managerFeeNumerator: management,
            managerFeeDenominator: denominator,
            exitFeeNumerator: exit,
            exitFeeDenominator: denominator,
            entryFeeNumerator: entry
        });
    }

    /// Position tokens are sent with a callback; the vault takes what its guards let it buy.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    /// Plain tokens, spot tokens of the derivatives exchange and reward tokens; not positions and lenders' shares.
    function _isToken(address asset) private view returns (bool) {
        uint16 assetType = PoolFactory(factory).getAssetType(asset);
        return assetType == 0 || assetType == 40 || assetType == 200;
    }

    function _payOut(address investor, uint256 tokens, uint256 supply)
        private
        returns (WithdrawnAsset[] memory withdrawn)
    {
        Asset[] memory assets = _managerLogic().getSupportedAssets();
        withdrawn = new WithdrawnAsset[](assets.length);
        for (uint256 i; i < assets.length; i++) {
            address asset = assets[i].asset;
            if (!_isToken(asset)) continue;
            uint256 amount = IERC20(asset).balanceOf(address(this)) * tokens / supply;
            if (amount > 0) IERC20(asset).safeTransfer(investor, amount);
            withdrawn[i] = WithdrawnAsset(asset, amount, false);
        }
    }
}
