// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// An asset a vault may hold, and whether investors may deposit it.
struct Asset {
    address asset;
    bool isDeposit;
}
