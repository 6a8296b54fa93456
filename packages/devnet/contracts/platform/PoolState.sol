// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {PoolFactory} from "./PoolFactory.sol";
import {PoolManagerLogic} from "./PoolManagerLogic.sol";

/// What every part of a vault needs: where it belongs, its token, its locks.
abstract contract PoolState is ERC20 {
    enum Operation {
        None,
        Deposit,
        Withdrawal,
        Execution
    }

    address public factory;
    address public poolManagerLogic;
    bool public privatePool;
    bool private _entered;
    string private _name;
    string private _symbol;

    modifier nonReentrant() {
        require(!_entered, "ReentrancyGuard: reentrant call");
        _entered = true;
        _;
        _entered = false;
    }

    modifier whenSharesNotPaused() {
        require(!PoolFactory(factory).isPaused(), "dh1");
        require(!PoolFactory(factory).pausedPools(address(this)), "dh2");
        _;
    }

    constructor() ERC20("", "") {
        // The implementation itself must never be initialised.
        factory = address(1);
    }

    /// Overridden because a clone runs no constructor.
    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function _initialize(
        address factory_,
        bool privatePool_,
        string memory name_,
        string memory symbol_,
        address poolManagerLogic_
    ) internal {
        require(factory == address(0), "Initializable: contract is already initialized");
        factory = factory_;
        privatePool = privatePool_;
        poolManagerLogic = poolManagerLogic_;
        _name = name_;
        _symbol = symbol_;
    }

    function _managerLogic() internal view returns (PoolManagerLogic) {
        return PoolManagerLogic(poolManagerLogic);
    }

    /// Deposits, withdrawals and executions may not be mixed in one transaction: transient storage remembers the first.
    function _lockOperation(Operation operation) internal {
        uint256 locked;
        assembly ("memory-safe") {
            locked := tload(0)
        }
        require(locked == 0 || locked == uint256(operation), "operation type mixed");
        assembly ("memory-safe") {
            tstore(0, operation)
        }
    }
}
