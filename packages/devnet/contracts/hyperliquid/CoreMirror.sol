// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {CoreDepositWallet} from "./CoreDepositWallet.sol";

/// What the chain knows of the exchange: prices and what accounts are worth. The real chain reads both from precompiles; here the fake
/// exchange writes them. It also pays out what left the exchange, each payment once, and holds what the exchange was told by hand: all
/// that the exchange does follows from events, so that it can be played again from the first one.
contract CoreMirror {
    struct Price {
        uint32 asset;
        /// USD, 8 decimals.
        uint64 px;
    }

    struct Account {
        address user;
        /// What the account is worth, in the deposit token's smallest units.
        uint256 worth;
        /// How much of what the user ever deposited is in that worth.
        uint256 credited;
    }

    struct Payment {
        address to;
        uint256 amount;
    }

    /// Who acts for the exchange on its chain.
    address public constant SYSTEM = 0x2000000000000000000000000000000000000000;

    address public immutable owner;
    CoreDepositWallet public immutable wallet;
    /// How many payments were made.
    uint256 public paid;

    mapping(uint32 asset => uint64 px) public prices;
    mapping(address user => Account account) private _accounts;

    event PriceSet(uint32 indexed asset, uint64 px);
    event Told(string ruling);
    event PriceReported(uint32 indexed asset, uint64 px);
    event AccountReported(address indexed user, uint256 worth, uint256 credited);
    event Paid(uint256 number, address indexed to, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "only owner");
        _;
    }

    constructor(address wallet_, Price[] memory initial) {
        owner = msg.sender;
        wallet = CoreDepositWallet(wallet_);
        for (uint256 i; i < initial.length; i++) {
            prices[initial[i].asset] = initial[i].px;
        }
    }

    /// Moves the market.
    function setPrice(uint32 asset, uint64 px) external onlyOwner {
        prices[asset] = px;
        emit PriceSet(asset, px);
    }

    /// Tells the fake exchange how to behave.
    function tell(string calldata ruling) external onlyOwner {
        emit Told(ruling);
    }

    /// What the exchange has come to. Payments start at number `first`, so that a report that is sent twice pays once.
    function report(Price[] calldata seen, Account[] calldata accounts, uint256 first, Payment[] calldata payments)
        external
    {
        require(msg.sender == SYSTEM, "only system");
        require(first == paid, "payments out of order");
        for (uint256 i; i < seen.length; i++) {
            prices[seen[i].asset] = seen[i].px;
            emit PriceReported(seen[i].asset, seen[i].px);
        }
        for (uint256 i; i < accounts.length; i++) {
            _accounts[accounts[i].user] = accounts[i];
            emit AccountReported(accounts[i].user, accounts[i].worth, accounts[i].credited);
        }
        for (uint256 i; i < payments.length; i++) {
            wallet.transfer(payments[i].to, payments[i].amount);
            emit Paid(paid++, payments[i].to, payments[i].amount);
        }
    }

    /// What somebody has on the exchange, deposits on their way included, in the deposit token's smallest units.
    function worthOf(address user) external view returns (uint256) {
        Account memory account = _accounts[user];
        return account.worth + wallet.deposited(user) - account.credited;
    }
}
