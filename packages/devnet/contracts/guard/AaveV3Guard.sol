// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveV3Pool} from "../lending/IAaveV3Pool.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ITxTrackingGuard} from "./ITxTrackingGuard.sol";

/// Lets a vault lend to and borrow from Aave V3 for itself, one borrowed asset at a time, never near liquidation.
contract AaveV3Guard is ITxTrackingGuard {
    uint16 private constant DEPOSIT = 9;
    uint16 private constant WITHDRAW = 10;
    uint16 private constant SET_COLLATERAL = 11;
    uint16 private constant BORROW = 12;
    uint16 private constant REPAY = 13;
    uint16 private constant SET_EMODE = 112;
    uint256 private constant LOWEST_HEALTH_FACTOR = 1.01e18;

    bool public constant isTxTrackingGuard = true;

    function txGuard(address poolManagerLogic, address to, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        bytes4 method = bytes4(data);
        PoolManagerLogic logic = PoolManagerLogic(poolManagerLogic);
        if (method == IAaveV3Pool.setUserEMode.selector) {
            require(logic.isSupportedAsset(to), "unsupported assets");
            return (SET_EMODE, false);
        }
        address account = logic.poolLogic();
        address onBehalfOf;
        (txType, onBehalfOf) = _decode(method, data, account);
        if (txType == 0) return (0, false);
        address asset = abi.decode(data[4:], (address));
        require(logic.isSupportedAsset(to) && logic.isSupportedAsset(asset), "unsupported assets");
        require(onBehalfOf == account, "recipient is not pool");
        if (txType == BORROW) _refuseSecondDebt(IAaveV3Pool(to), account, asset);
    }

    function afterTxGuard(address poolManagerLogic, address to, bytes calldata data) external view {
        if (!_canEndanger(data)) return;
        (,,,,, uint256 healthFactor) =
            IAaveV3Pool(to).getUserAccountData(PoolManagerLogic(poolManagerLogic).poolLogic());
        require(healthFactor > LOWEST_HEALTH_FACTOR, "health factor too low");
    }

    /// For whom the call is; where the call cannot say, it is for the caller.
    function _decode(bytes4 method, bytes calldata data, address account) private pure returns (uint16, address) {
        if (method == IAaveV3Pool.supply.selector || method == IAaveV3Pool.deposit.selector) {
            (,, address onBehalfOf,) = abi.decode(data[4:], (address, uint256, address, uint16));
            return (DEPOSIT, onBehalfOf);
        }
        if (method == IAaveV3Pool.withdraw.selector) {
            (,, address recipient) = abi.decode(data[4:], (address, uint256, address));
            return (WITHDRAW, recipient);
        }
        if (method == IAaveV3Pool.borrow.selector) {
            (,,,, address onBehalfOf) = abi.decode(data[4:], (address, uint256, uint256, uint16, address));
            return (BORROW, onBehalfOf);
        }
        if (method == IAaveV3Pool.repay.selector) {
            (,,, address onBehalfOf) = abi.decode(data[4:], (address, uint256, uint256, address));
            return (REPAY, onBehalfOf);
        }
        if (method == IAaveV3Pool.repayWithATokens.selector) return (REPAY, account);
        if (method == IAaveV3Pool.setUserUseReserveAsCollateral.selector) return (SET_COLLATERAL, account);
        return (0, address(0));
    }

    function _refuseSecondDebt(IAaveV3Pool lender, address account, address borrowing) private view {
        address[] memory reserves = lender.getReservesList();
        for (uint256 i; i < reserves.length; i++) {
            if (reserves[i] == borrowing) continue;
            IAaveV3Pool.ReserveData memory reserve = lender.getReserveData(reserves[i]);
            require(
                IERC20(reserve.variableDebtTokenAddress).balanceOf(account) == 0
                    && IERC20(reserve.stableDebtTokenAddress).balanceOf(account) == 0,
                "borrowing asset exists"
            );
        }
    }

    function _canEndanger(bytes calldata data) private pure returns (bool) {
        bytes4 method = bytes4(data);
        if (method == IAaveV3Pool.setUserUseReserveAsCollateral.selector) {
            (, bool useAsCollateral) = abi.decode(data[4:], (address, bool));
            return !useAsCollateral;
        }
        return method == IAaveV3Pool.borrow.selector || method == IAaveV3Pool.withdraw.selector
            || method == IAaveV3Pool.setUserEMode.selector;
    }
}
