// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Holds the chain's USDC that is on the exchange. Who deposits is credited there; what leaves the exchange is paid from here.
contract CoreDepositWallet {
    using SafeERC20 for IERC20;

    uint32 public constant PERP = 0;
    uint32 public constant SPOT = type(uint32).max;

    IERC20 public immutable token;
    address public immutable owner;
    /// The one who pays out on the exchange's behalf.
    address public mirror;
    /// All that somebody ever deposited, in the token's smallest units.
    mapping(address user => uint256 amount) public deposited;

    event Deposit(address indexed user, uint256 amount, uint32 dexId);

    constructor(address token_) {
        token = IERC20(token_);
        owner = msg.sender;
    }

    function setMirror(address mirror_) external {
        require(msg.sender == owner && mirror == address(0), "only owner, once");
        mirror = mirror_;
    }

    function deposit(uint256 amount, uint32 dexId) external {
        require(amount > 0, "0 amount");
        require(dexId == PERP || dexId == SPOT, "unsupported dex");
        token.safeTransferFrom(msg.sender, address(this), amount);
        deposited[msg.sender] += amount;
        emit Deposit(msg.sender, amount, dexId);
    }

    function transfer(address to, uint256 amount) external {
        require(msg.sender == mirror, "only mirror");
        token.safeTransfer(to, amount);
    }
}
