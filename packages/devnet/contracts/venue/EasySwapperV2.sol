// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IEasySwapperV2} from "./IEasySwapperV2.sol";
import {PoolToken} from "./PoolToken.sol";
import {Swapper} from "./Swapper.sol";
import {WithdrawalVault} from "./WithdrawalVault.sol";

/// Stands in for the platform's EasySwapperV2: buys vault tokens, and redeems them in two steps.
contract EasySwapperV2 is IEasySwapperV2, Ownable {
    using SafeERC20 for IERC20;

    Swapper public immutable swapper;
    /// Seconds for which bought tokens cannot be redeemed.
    uint256 public customCooldown = 1 hours;
    /// Parts of 10,000 that a quote promises more than a deposit yields: a lie, for tests.
    int256 public quoteLie;

    mapping(address vaultToken => bool) public customCooldownDepositsWhitelist;
    mapping(address depositor => WithdrawalVault) public withdrawalContracts;

    constructor(address swapper_) Ownable(msg.sender) {
        swapper = Swapper(swapper_);
    }

    function setCustomCooldown(uint256 cooldown) external onlyOwner {
        customCooldown = cooldown;
    }

    function setQuoteLie(int256 lie) external onlyOwner {
        quoteLie = lie;
    }

    function whitelist(address vaultToken, bool listed) external onlyOwner {
        customCooldownDepositsWhitelist[vaultToken] = listed;
    }

    function isdHedgeVault(address vaultToken) external view returns (bool) {
        return customCooldownDepositsWhitelist[vaultToken];
    }

    function depositQuote(address _dHedgeVault, address _vaultDepositToken, uint256 _depositAmount)
        external
        view
        returns (uint256)
    {
        require(PoolToken(_dHedgeVault).isDepositAsset(_vaultDepositToken), "invalid deposit asset");
        uint256 quote = PoolToken(_dHedgeVault).quoteOf(_vaultDepositToken, _depositAmount);
        return uint256(int256(quote) * (10_000 + quoteLie) / 10_000);
    }

    function depositWithCustomCooldown(
        address _dHedgeVault,
        address _vaultDepositToken,
        uint256 _depositAmount,
        uint256 _expectedAmountReceived
    ) external {
        require(customCooldownDepositsWhitelist[_dHedgeVault], "dh5");
        IERC20(_vaultDepositToken).safeTransferFrom(msg.sender, address(this), _depositAmount);
        IERC20(_vaultDepositToken).forceApprove(_dHedgeVault, _depositAmount);
        uint256 minted = PoolToken(_dHedgeVault).depositForWithCustomCooldown(
            msg.sender, _vaultDepositToken, _depositAmount, customCooldown
        );
        require(minted >= _expectedAmountReceived, "high slippage");
    }

    function initWithdrawal(address _dHedgeVault, uint256 _amountIn, ComplexAsset[] calldata)
        external
        returns (TrackedAsset[] memory trackedAssets, address withdrawalVault)
    {
        WithdrawalVault withdrawal = withdrawalContracts[msg.sender];
        if (address(withdrawal) == address(0)) {
            withdrawal = new WithdrawalVault(msg.sender);
            withdrawalContracts[msg.sender] = withdrawal;
            emit WithdrawalVaultCreated(address(withdrawal), msg.sender);
        }
        IERC20(_dHedgeVault).safeTransferFrom(msg.sender, address(withdrawal), _amountIn);
        withdrawal.unroll(PoolToken(_dHedgeVault), _amountIn);
        emit WithdrawalInitiated(address(withdrawal), msg.sender, _dHedgeVault, _amountIn);
        return (withdrawal.trackedAssets(), address(withdrawal));
    }

    function completeWithdrawal(MultiInSingleOutData calldata _swapData, uint256 _expectedDestTokenAmount)
        external
        returns (uint256 paid)
    {
        WithdrawalVault withdrawal = _withdrawalOf(msg.sender);
        paid = withdrawal.claimAs(swapper, _swapData, _expectedDestTokenAmount);
        emit WithdrawalCompleted(address(withdrawal), msg.sender);
    }

    function completeWithdrawal() external {
        WithdrawalVault withdrawal = _withdrawalOf(msg.sender);
        withdrawal.claim();
        emit WithdrawalCompleted(address(withdrawal), msg.sender);
    }

    function getTrackedAssets(address _depositor) external view returns (TrackedAsset[] memory assets) {
        WithdrawalVault withdrawal = withdrawalContracts[_depositor];
        return address(withdrawal) == address(0) ? new TrackedAsset[](0) : withdrawal.trackedAssets();
    }

    function _withdrawalOf(address depositor) private view returns (WithdrawalVault withdrawal) {
        withdrawal = withdrawalContracts[depositor];
        require(address(withdrawal) != address(0), "no withdrawal");
    }
}
