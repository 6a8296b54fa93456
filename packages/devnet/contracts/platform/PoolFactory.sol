// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Asset} from "./Asset.sol";
import {AssetHandler} from "./AssetHandler.sol";
import {GuardRegistry} from "./GuardRegistry.sol";
import {PauseSwitch} from "./PauseSwitch.sol";
import {PoolLogic} from "./PoolLogic.sol";
import {PoolManagerLogic} from "./PoolManagerLogic.sol";

/// Creates vaults and is where they look up guards, prices and pauses.
contract PoolFactory is AssetHandler, GuardRegistry, PauseSwitch {
    address public immutable poolLogicImplementation;
    address public immutable poolManagerLogicImplementation;

    address public daoAddress;
    address public slippageAccumulator;
    uint256 public constant getMaximumSupportedAssetCount = 12;
    uint256 public constant getExitCooldown = 1 days;

    mapping(address => bool) public isPool;
    mapping(address => bool) private _isPoolManager;
    address[] private _deployedFunds;

    event FundCreated(
        address fundAddress,
        bool isPoolPrivate,
        string fundName,
        string managerName,
        address manager,
        uint256 time,
        uint256 performanceFeeNumerator,
        uint256 managerFeeNumerator,
        uint256 managerFeeDenominator
    );
    event PoolEvent(address poolAddress);
    event PoolManagerEvent(address poolManagerAddress);

    constructor(address poolLogic, address poolManagerLogic) Ownable(msg.sender) {
        poolLogicImplementation = poolLogic;
        poolManagerLogicImplementation = poolManagerLogic;
        daoAddress = msg.sender;
    }

    function setSlippageAccumulator(address accumulator) external onlyOwner {
        slippageAccumulator = accumulator;
    }

    /// Anyone may create a vault for any manager; a trader is set by the manager afterwards.
    function createFund(
        bool _privatePool,
        address _manager,
        string memory _managerName,
        string memory _fundName,
        string memory _fundSymbol,
        uint256 _performanceFeeNumerator,
        uint256 _managerFeeNumerator,
        uint256 _entryFeeNumerator,
        uint256 _exitFeeNum,
        Asset[] memory _supportedAssets
    ) external returns (address fund) {
        require(!isPaused, "dh1");
        fund = Clones.clone(poolLogicImplementation);
        address managerLogic = Clones.clone(poolManagerLogicImplementation);
        isPool[fund] = true;
        _isPoolManager[managerLogic] = true;
        _deployedFunds.push(fund);
        PoolLogic(fund).initialize(address(this), _privatePool, _fundName, _fundSymbol, managerLogic);
        PoolManagerLogic.Fees memory fees = PoolManagerLogic.Fees(
            _performanceFeeNumerator, _managerFeeNumerator, _entryFeeNumerator, _exitFeeNum
        );
        PoolManagerLogic(managerLogic).initialize(address(this), _manager, _managerName, fund, fees, _supportedAssets);
        _emitFundCreated(fund, _fundName, _managerName, fees);
    }

    function getDeployedFunds() external view returns (address[] memory) {
        return _deployedFunds;
    }

    /// Loops over every fund with two calls each, as the real one does.
    function getManagedPools(address _manager) external view returns (address[] memory pools) {
        pools = new address[](_deployedFunds.length);
        uint256 count;
        for (uint256 i; i < _deployedFunds.length; i++) {
            address fund = _deployedFunds[i];
            if (PoolManagerLogic(PoolLogic(fund).poolManagerLogic()).manager() == _manager) pools[count++] = fund;
        }
        _shrink(pools, count);
    }

    function getInvestedPools(address _user) external view returns (address[] memory pools) {
        pools = new address[](_deployedFunds.length);
        uint256 count;
        for (uint256 i; i < _deployedFunds.length; i++) {
            if (PoolLogic(_deployedFunds[i]).balanceOf(_user) > 0) pools[count++] = _deployedFunds[i];
        }
        _shrink(pools, count);
    }

    /// The guard of the asset's type; zero for an address that is no asset of the platform.
    function getAssetGuard(address _extAsset) external view returns (address guard) {
        return isValidAsset(_extAsset) ? assetGuards[getAssetType(_extAsset)] : address(0);
    }

    function getMaximumFee() external pure returns (uint256, uint256, uint256, uint256, uint256) {
        return (5000, 300, 100, 100, 10_000);
    }

    function getDaoFee() external pure returns (uint256, uint256) {
        return (10, 100);
    }

    function governanceAddress() external view returns (address) {
        return address(this);
    }

    function emitPoolEvent() external {
        require(isPool[msg.sender], "only pool");
        emit PoolEvent(msg.sender);
    }

    function emitPoolManagerEvent() external {
        require(_isPoolManager[msg.sender], "only pool manager");
        emit PoolManagerEvent(msg.sender);
    }

    /// A function of its own because createFund's stack is full.
    function _emitFundCreated(
        address fund,
        string memory fundName,
        string memory managerName,
        PoolManagerLogic.Fees memory fees
    ) private {
        PoolLogic pool = PoolLogic(fund);
        emit FundCreated(
            fund,
            pool.privatePool(),
            fundName,
            managerName,
            PoolManagerLogic(pool.poolManagerLogic()).manager(),
            block.timestamp,
            fees.performance,
            fees.management,
            10_000
        );
    }

    function _shrink(address[] memory list, uint256 length) private pure {
        assembly ("memory-safe") {
            mstore(list, length)
        }
    }
}
