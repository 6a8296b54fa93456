// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IAggregator} from "../feed/IAggregator.sol";
import {CometRates} from "./CometRates.sol";

/// A market of one base token with Comet's interface: suppliers earn, borrowers put up collateral.
contract Comet is CometRates {
    using SafeERC20 for IERC20;

    struct AssetInfo {
        uint8 offset;
        address asset;
        address priceFeed;
        uint64 scale;
        uint64 borrowCollateralFactor;
        uint64 liquidateCollateralFactor;
        uint64 liquidationFactor;
        uint128 supplyCap;
    }

    struct UserCollateral {
        uint128 balance;
        uint128 _reserved;
    }

    address public immutable baseToken;
    address public immutable baseTokenPriceFeed;
    uint8 public immutable decimals;
    uint256 public immutable baseScale;
    uint256 public immutable baseBorrowMin;
    string public name;
    string public symbol;

    /// May pause the market.
    address public immutable pauseGuardian;
    bool public isSupplyPaused;
    bool public isWithdrawPaused;

    AssetInfo[] private _assets;
    /// Supply when positive, debt when negative, in principal.
    mapping(address account => int256) private _principal;
    mapping(address account => mapping(address asset => UserCollateral)) public userCollateral;

    event Supply(address indexed from, address indexed dst, uint256 amount);
    event Withdraw(address indexed src, address indexed to, uint256 amount);
    event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount);
    event WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);

    error BadAsset();
    error BorrowTooSmall();
    error NotCollateralized();
    error Paused();
    error Unauthorized();

    constructor(address base, address feed, string memory name_, string memory symbol_, AssetInfo[] memory assets) {
        pauseGuardian = msg.sender;
        baseToken = base;
        baseTokenPriceFeed = feed;
        decimals = IERC20Metadata(base).decimals();
        baseScale = 10 ** decimals;
        baseBorrowMin = 100 * baseScale;
        name = name_;
        symbol = symbol_;
        for (uint256 i; i < assets.length; i++) {
            _assets.push(assets[i]);
        }
    }

    /// The other three switches of a Comet stop what this one does not have.
    function pause(bool supplyPaused, bool, bool withdrawPaused, bool, bool) external {
        if (msg.sender != pauseGuardian) revert Unauthorized();
        isSupplyPaused = supplyPaused;
        isWithdrawPaused = withdrawPaused;
    }

    /// `amount` at its maximum repays the whole debt.
    function supply(address asset, uint256 amount) external {
        if (isSupplyPaused) revert Paused();
        if (asset != baseToken) return _supplyCollateral(asset, amount);
        _accrue();
        if (amount == type(uint256).max) amount = borrowBalanceOf(msg.sender);
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        uint256 before = balanceOf(msg.sender);
        _setBalance(msg.sender, _balance(msg.sender) + int256(amount));
        emit Supply(msg.sender, msg.sender, amount);
        uint256 minted = balanceOf(msg.sender) - before;
        if (minted > 0) emit Transfer(address(0), msg.sender, minted);
    }

    /// Of the base token more than was supplied is borrowed; `amount` at its maximum is all that was supplied.
    function withdraw(address asset, uint256 amount) external {
        if (isWithdrawPaused) revert Paused();
        if (asset != baseToken) return _withdrawCollateral(asset, amount);
        _accrue();
        uint256 before = balanceOf(msg.sender);
        if (amount == type(uint256).max) amount = before;
        _setBalance(msg.sender, _balance(msg.sender) - int256(amount));
        uint256 debt = borrowBalanceOf(msg.sender);
        if (debt > 0) {
            if (debt < baseBorrowMin) revert BorrowTooSmall();
            if (!isBorrowCollateralized(msg.sender)) revert NotCollateralized();
        }
        IERC20(asset).safeTransfer(msg.sender, amount);
        emit Withdraw(msg.sender, msg.sender, amount);
        uint256 burnt = before - balanceOf(msg.sender);
        if (burnt > 0) emit Transfer(msg.sender, address(0), burnt);
    }

    function balanceOf(address account) public view returns (uint256) {
        int256 balance = _balance(account);
        return balance > 0 ? uint256(balance) : 0;
    }

    function borrowBalanceOf(address account) public view returns (uint256) {
        int256 balance = _balance(account);
        return balance < 0 ? uint256(-balance) : 0;
    }

    function totalSupply() external view returns (uint256) {
        (uint256 supplyIndex,) = _indices();
        return _supplied * supplyIndex / INDEX;
    }

    function totalBorrow() external view returns (uint256) {
        (, uint256 borrowIndex) = _indices();
        return _borrowed * borrowIndex / INDEX;
    }

    function collateralBalanceOf(address account, address asset) external view returns (uint128) {
        return userCollateral[account][asset].balance;
    }

    function isBorrowCollateralized(address account) public view returns (bool) {
        return _covers(account, false);
    }

    function isLiquidatable(address account) external view returns (bool) {
        return !_covers(account, true);
    }

    function numAssets() external view returns (uint8) {
        return uint8(_assets.length);
    }

    function getAssetInfo(uint8 i) external view returns (AssetInfo memory) {
        if (i >= _assets.length) revert BadAsset();
        return _assets[i];
    }

    function getAssetInfoByAddress(address asset) public view returns (AssetInfo memory) {
        for (uint256 i; i < _assets.length; i++) {
            if (_assets[i].asset == asset) return _assets[i];
        }
        revert BadAsset();
    }

    /// USD per whole token, 8 decimals.
    function getPrice(address priceFeed) public view returns (uint256) {
        (, int256 answer,,,) = IAggregator(priceFeed).latestRoundData();
        require(answer > 0, "BadPrice");
        return uint256(answer);
    }

    function _supplyCollateral(address asset, uint256 amount) private {
        getAssetInfoByAddress(asset);
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        userCollateral[msg.sender][asset].balance += uint128(amount);
        emit SupplyCollateral(msg.sender, msg.sender, asset, amount);
    }

    function _withdrawCollateral(address asset, uint256 amount) private {
        getAssetInfoByAddress(asset);
        userCollateral[msg.sender][asset].balance -= uint128(amount);
        if (!isBorrowCollateralized(msg.sender)) revert NotCollateralized();
        IERC20(asset).safeTransfer(msg.sender, amount);
        emit WithdrawCollateral(msg.sender, msg.sender, asset, amount);
    }

    /// In base tokens, rounded down for suppliers as for borrowers (whose principal is rounded up instead).
    function _balance(address account) private view returns (int256) {
        int256 principal = _principal[account];
        (uint256 supplyIndex, uint256 borrowIndex) = _indices();
        return principal >= 0
            ? int256(uint256(principal) * supplyIndex / INDEX)
            : -int256(uint256(-principal) * borrowIndex / INDEX);
    }

    function _setBalance(address account, int256 balance) private {
        int256 old = _principal[account];
        if (old >= 0) _supplied -= uint256(old);
        else _borrowed -= uint256(-old);
        if (balance >= 0) {
            uint256 principal = uint256(balance) * INDEX / _supplyIndex;
            _supplied += principal;
            _principal[account] = int256(principal);
        } else {
            uint256 principal = (uint256(-balance) * INDEX + _borrowIndex - 1) / _borrowIndex;
            _borrowed += principal;
            _principal[account] = -int256(principal);
        }
    }

    /// Whether the account's collateral, each asset at its factor, is worth at least its debt.
    function _covers(address account, bool liquidating) private view returns (bool) {
        uint256 debt = borrowBalanceOf(account);
        if (debt == 0) return true;
        uint256 worth;
        for (uint256 i; i < _assets.length; i++) {
            AssetInfo memory info = _assets[i];
            uint256 value = userCollateral[account][info.asset].balance * getPrice(info.priceFeed) / info.scale;
            worth += value * (liquidating ? info.liquidateCollateralFactor : info.borrowCollateralFactor) / FACTOR;
        }
        return worth >= debt * getPrice(baseTokenPriceFeed) / baseScale;
    }
}
