// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Who runs a vault: a manager, and a trader the manager appoints.
abstract contract Managed {
    address public manager;
    string public managerName;
    address public trader;

    event ManagerUpdated(address newManager, string newManagerName);

    modifier onlyManager() {
        require(msg.sender == manager, "dh4");
        _;
    }

    function setTrader(address _newTrader) external onlyManager {
        require(_newTrader != address(0), "Invalid trader");
        trader = _newTrader;
    }

    function removeTrader() external onlyManager {
        trader = address(0);
    }

    function changeManager(address _newManager, string memory _newManagerName) external onlyManager {
        _setManager(_newManager, _newManagerName);
        emit ManagerUpdated(_newManager, _newManagerName);
    }

    function _setManager(address newManager, string memory newManagerName) internal {
        require(newManager != address(0), "Invalid manager");
        manager = newManager;
        managerName = newManagerName;
    }
}
