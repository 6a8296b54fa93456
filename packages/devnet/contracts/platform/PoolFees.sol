// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolFactory} from "./PoolFactory.sol";
import {PoolState} from "./PoolState.sol";

/// What the manager earned and has not been paid yet, and the price of a vault token.
abstract contract PoolFees is PoolState {
    uint256 public tokenPriceAtLastFeeMint;
    uint256 public lastFeeMintTime;
    uint256 public creationTime;

    event ManagerFeeMinted(
        address pool,
        address manager,
        uint256 available,
        uint256 daoFee,
        uint256 managerFee,
        uint256 tokenPriceAtLastFeeMint
    );

    /// Anyone may call it: the fee goes to the manager and the DAO whoever pays the gas.
    function mintManagerFee() external nonReentrant whenSharesNotPaused {
        _mintManagerFee();
    }

    /// Vault tokens due at a fund value: performance above the last minted price plus streaming by time.
    function calculateAvailableManagerFee(uint256 _fundValue) public view returns (uint256 fee) {
        uint256 supply = totalSupply();
        if (supply == 0 || _fundValue == 0) return 0;
        (uint256 performance, uint256 management,,, uint256 denominator) = _managerLogic().getFee();
        uint256 price = _fundValue * 1e18 / supply;
        if (price > tokenPriceAtLastFeeMint) {
            uint256 feeValue = (price - tokenPriceAtLastFeeMint) * performance * supply / (denominator * 1e18);
            fee = feeValue * supply / (_fundValue - feeValue);
        }
        fee += supply * (block.timestamp - lastFeeMintTime) * management / denominator / 365 days;
    }

    /// USD per vault token, 18 decimals, net of unminted fees.
    function tokenPrice() external view returns (uint256) {
        uint256 value = _managerLogic().totalFundValue();
        return _price(value, totalSupply() + calculateAvailableManagerFee(value));
    }

    function tokenPriceWithoutManagerFee() external view returns (uint256) {
        return _price(_managerLogic().totalFundValue(), totalSupply());
    }

    function _initializeFees() internal {
        creationTime = block.timestamp;
        lastFeeMintTime = block.timestamp;
        tokenPriceAtLastFeeMint = 1e18;
    }

    function _mintManagerFee() internal returns (uint256 fundValue) {
        fundValue = _managerLogic().totalFundValue();
        uint256 available = calculateAvailableManagerFee(fundValue);
        uint256 price = _price(fundValue, totalSupply());
        if (price > tokenPriceAtLastFeeMint) tokenPriceAtLastFeeMint = price;
        lastFeeMintTime = block.timestamp;

        (uint256 numerator, uint256 denominator) = PoolFactory(factory).getDaoFee();
        uint256 daoFee = available * numerator / denominator;
        address manager = _managerLogic().manager();
        if (daoFee > 0) _mint(PoolFactory(factory).daoAddress(), daoFee);
        if (available > daoFee) _mint(manager, available - daoFee);
        emit ManagerFeeMinted(address(this), manager, available, daoFee, available - daoFee, tokenPriceAtLastFeeMint);
        PoolFactory(factory).emitPoolEvent();
    }

    function _price(uint256 value, uint256 supply) private pure returns (uint256) {
        return supply == 0 || value == 0 ? 0 : value * 1e18 / supply;
    }
}
