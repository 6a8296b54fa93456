// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Stands in front of an Aave V3 pool's implementation and answers as version 3.7 does: with named errors, where the
/// implementation behind it answers with numbers.
contract AaveV3NamedErrors {
    address private immutable implementation;

    error ReserveInactive();
    error ReserveFrozen();
    error ReservePaused();
    error BorrowingNotEnabled();
    error NotEnoughAvailableUserBalance();
    error HealthFactorLowerThanLiquidationThreshold();
    error CollateralCannotCoverNewBorrow();
    error NoDebtOfSelectedType();
    error BorrowCapExceeded();
    error SupplyCapExceeded();

    constructor(address implementation_) {
        implementation = implementation_;
    }

    fallback() external {
        (bool success, bytes memory answer) = implementation.delegatecall(msg.data);
        if (!success) {
            _revertNamed(answer);
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// Reverts with the name of an error that the answer gives as a number; returns for any other answer.
    function _revertNamed(bytes memory answer) private pure {
        // Error(string): selector, offset, length, and the text's first word.
        if (answer.length < 100 || bytes4(answer) != bytes4(keccak256("Error(string)"))) return;
        uint256 length;
        bytes32 text;
        assembly ("memory-safe") {
            length := mload(add(answer, 68))
            text := mload(add(answer, 100))
        }
        if (length != 2) return;
        if (bytes2(text) == "27") revert ReserveInactive();
        if (bytes2(text) == "28") revert ReserveFrozen();
        if (bytes2(text) == "29") revert ReservePaused();
        if (bytes2(text) == "30") revert BorrowingNotEnabled();
        if (bytes2(text) == "32") revert NotEnoughAvailableUserBalance();
        if (bytes2(text) == "35") revert HealthFactorLowerThanLiquidationThreshold();
        if (bytes2(text) == "36") revert CollateralCannotCoverNewBorrow();
        if (bytes2(text) == "39") revert NoDebtOfSelectedType();
        if (bytes2(text) == "50") revert BorrowCapExceeded();
        if (bytes2(text) == "51") revert SupplyCapExceeded();
    }
}
