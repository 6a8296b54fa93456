// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// An ERC-4626 lender whose shares grow in worth with every second. Interest is paid from tokens somebody sent it.
contract FToken is ERC4626 {
    address public immutable owner;

    /// Interest a year, 1e18 being 100%.
    uint256 public ratePerYear;

    /// False once the market accepts no deposits.
    bool public isOpen = true;

    uint256 private _lent;
    uint256 private _accruedAt;

    constructor(address underlying, string memory name_, string memory symbol_, uint256 ratePerYear_)
        ERC20(name_, symbol_)
        ERC4626(IERC20(underlying))
    {
        owner = msg.sender;
        ratePerYear = ratePerYear_;
        _accruedAt = block.timestamp;
    }

    function setRatePerYear(uint256 ratePerYear_) external {
        require(msg.sender == owner, "only owner");
        _accrue();
        ratePerYear = ratePerYear_;
    }

    function setOpen(bool isOpen_) external {
        require(msg.sender == owner, "only owner");
        isOpen = isOpen_;
    }

    function maxDeposit(address receiver) public view override returns (uint256) {
        return isOpen ? super.maxDeposit(receiver) : 0;
    }

    function totalAssets() public view override returns (uint256) {
        return _lent + _lent * ratePerYear * (block.timestamp - _accruedAt) / 365 days / 1e18;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        _accrue();
        _lent += assets;
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address shareOwner, uint256 assets, uint256 shares)
        internal
        override
    {
        _accrue();
        _lent -= assets;
        super._withdraw(caller, receiver, shareOwner, assets, shares);
    }

    function _accrue() private {
        _lent = totalAssets();
        _accruedAt = block.timestamp;
    }
}
