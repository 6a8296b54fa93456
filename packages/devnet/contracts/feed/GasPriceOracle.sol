// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// The predeployed contract of OP-stack networks that computes the L1 data fee of a transaction. Its prices are fixed.
contract GasPriceOracle {
    uint256 public constant WEI_PER_BYTE = 16_000_000_000;
    /// Bytes of the signature, which the given bytes do not contain.
    uint256 public constant SIGNATURE_BYTES = 68;
    /// The fee of the smallest transactions.
    uint256 public constant LEAST_BYTES = 100;

    /// Wei that a transaction with these unsigned bytes pays beside its gas.
    function getL1Fee(bytes memory transaction) external pure returns (uint256) {
        uint256 size = transaction.length + SIGNATURE_BYTES;
        return WEI_PER_BYTE * (size > LEAST_BYTES ? size : LEAST_BYTES);
    }
}
