// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IEasySwapperV2} from "../venue/IEasySwapperV2.sol";
import {ITxTrackingGuard} from "./ITxTrackingGuard.sol";
import {SlippageAccumulator} from "./SlippageAccumulator.sol";

/// Lets a vault buy vault tokens through EasySwapperV2, and redeem them in two steps.
contract EasySwapperV2Guard is ITxTrackingGuard {
    uint16 private constant DEPOSIT = 87;
    uint16 private constant INIT_WITHDRAWAL = 88;
    uint16 private constant COMPLETE_WITHDRAWAL = 89;
    uint256 private constant MAX_SLIPPAGE = 200;

    bytes4 private constant COMPLETE = bytes4(keccak256("completeWithdrawal()"));
    bytes4 private constant COMPLETE_AS = bytes4(
        keccak256("completeWithdrawal(((address,uint256,(bytes32,bytes))[],(address,uint256)),uint256)")
    );

    bool public constant isTxTrackingGuard = true;
    SlippageAccumulator public immutable slippageAccumulator;
    /// Balances of the vault token just before a purchase.
    mapping(address pool => uint256) private _before;

    constructor(address accumulator) {
        slippageAccumulator = SlippageAccumulator(accumulator);
    }

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        returns (uint16 txType, bool isPublic)
    {
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        address pool = logic.poolLogic();
        require(msg.sender == pool, "only pool");
        bytes4 method = bytes4(data);
        if (method == IEasySwapperV2.depositWithCustomCooldown.selector) {
            (address vaultToken, address depositToken) = abi.decode(data[4:], (address, address));
            require(logic.isSupportedAsset(depositToken), "unsupported source asset");
            require(logic.isSupportedAsset(vaultToken), "unsupported destination asset");
            _before[pool] = IERC20(vaultToken).balanceOf(pool);
            return (DEPOSIT, false);
        }
        if (method == IEasySwapperV2.initWithdrawal.selector) {
            (,, IEasySwapperV2.ComplexAsset[] memory complexAssets) =
                abi.decode(data[4:], (address, uint256, IEasySwapperV2.ComplexAsset[]));
            require(logic.isSupportedAsset(to), "unsupported destination asset");
            for (uint256 i; i < complexAssets.length; i++) {
                uint256 tolerance = complexAssets[i].slippageTolerance;
                require(tolerance != 0 && tolerance <= MAX_SLIPPAGE, "invalid slippage tolerance");
            }
            return (INIT_WITHDRAWAL, false);
        }
        if (method == COMPLETE_AS) {
            (IEasySwapperV2.MultiInSingleOutData memory swapData,) =
                abi.decode(data[4:], (IEasySwapperV2.MultiInSingleOutData, uint256));
            require(logic.isSupportedAsset(swapData.destData.destToken), "unsupported destination asset");
            return (COMPLETE_WITHDRAWAL, false);
        }
        if (method == COMPLETE) {
            IEasySwapperV2.TrackedAsset[] memory assets = IEasySwapperV2(to).getTrackedAssets(pool);
            for (uint256 i; i < assets.length; i++) {
                require(logic.isSupportedAsset(assets[i].token), "unsupported destination asset");
            }
            return (COMPLETE_WITHDRAWAL, false);
        }
    }

    function afterTxGuard(address poolManagerLogic, address to, bytes calldata data) external {
        address pool = PoolManagerLogic(poolManagerLogic).poolLogic();
        require(msg.sender == pool, "only pool");
        if (bytes4(data) != IEasySwapperV2.depositWithCustomCooldown.selector) return;
        (address vaultToken, address depositToken, uint256 amount,) =
            abi.decode(data[4:], (address, address, uint256, uint256));
        uint256 received = IERC20(vaultToken).balanceOf(pool) - _before[pool];
        delete _before[pool];
        slippageAccumulator.updateSlippageImpact(
            poolManagerLogic, to, SlippageAccumulator.SwapData(depositToken, vaultToken, amount, received)
        );
    }
}
