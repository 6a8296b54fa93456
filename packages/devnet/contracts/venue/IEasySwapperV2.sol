// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// The functions of EasySwapperV2 that vaults and their guards use.
interface IEasySwapperV2 {
    struct ComplexAsset {
        address supportedAsset;
        bytes withdrawData;
        uint256 slippageTolerance;
    }

    struct TrackedAsset {
        address token;
        uint256 balance;
    }

    struct AggregatorData {
        bytes32 routerKey;
        bytes swapData;
    }

    struct SrcTokenSwapDetails {
        address token;
        uint256 amount;
        AggregatorData aggregatorData;
    }

    struct DestData {
        address destToken;
        uint256 minDestAmount;
    }

    struct MultiInSingleOutData {
        SrcTokenSwapDetails[] srcData;
        DestData destData;
    }

    event WithdrawalVaultCreated(address indexed withdrawalVault, address indexed depositor);
    event WithdrawalInitiated(
        address indexed withdrawalVault, address indexed depositor, address indexed dHedgeVault, uint256 amountWithdrawn
    );
    event WithdrawalCompleted(address indexed withdrawalVault, address indexed depositor);

    function depositQuote(address _dHedgeVault, address _vaultDepositToken, uint256 _depositAmount)
        external
        view
        returns (uint256);

    function depositWithCustomCooldown(
        address _dHedgeVault,
        address _vaultDepositToken,
        uint256 _depositAmount,
        uint256 _expectedAmountReceived
    ) external;

    function initWithdrawal(address _dHedgeVault, uint256 _amountIn, ComplexAsset[] calldata _complexAssetsData)
        external
        returns (TrackedAsset[] memory trackedAssets, address withdrawalVault);

    function completeWithdrawal(MultiInSingleOutData calldata _swapData, uint256 _expectedDestTokenAmount)
        external
        returns (uint256);

    function completeWithdrawal() external;

    function getTrackedAssets(address _depositor) external view returns (TrackedAsset[] memory);
}
