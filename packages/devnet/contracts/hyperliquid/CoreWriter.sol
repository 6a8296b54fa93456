// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// How the chain speaks to the exchange: it says what somebody wants and forgets it. Whether the exchange does it is not known here.
contract CoreWriter {
    event RawAction(address indexed user, bytes data);

    function sendRawAction(bytes calldata data) external {
        emit RawAction(msg.sender, data);
    }
}
