// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IAssetGuard} from "../guard/IAssetGuard.sol";
import {Asset} from "./Asset.sol";
import {Managed} from "./Managed.sol";
import {PoolFactory} from "./PoolFactory.sol";

/// What a vault may hold, what that is worth, who runs it and what they earn.
contract PoolManagerLogic is Managed {
    /// Parts of 10,000.
    struct Fees {
        uint256 performance;
        uint256 management;
        uint256 entry;
        uint256 exit;
    }

    uint256 private constant FEE_DENOMINATOR = 10_000;

    address public factory;
    address public poolLogic;
    bool public traderAssetChangeDisabled;
    Fees private _fees;
    Asset[] private _supportedAssets;
    /// Index in `_supportedAssets` plus one; zero means not supported.
    mapping(address asset => uint256) private _position;

    event AssetAdded(address indexed fundAddress, address manager, address asset, bool isDeposit);
    event AssetRemoved(address fundAddress, address manager, address asset);
    event ManagerFeeSet(
        address fundAddress,
        address manager,
        uint256 performanceFeeNumerator,
        uint256 managerFeeNumerator,
        uint256 entryFeeNumerator,
        uint256 exitFeeNumerator,
        uint256 denominator
    );
    event TraderAssetChangeDisabledUpdated(address fundAddress, address manager, bool disabled);

    constructor() {
        // The implementation itself must never be initialised.
        factory = address(1);
    }

    function initialize(
        address factory_,
        address manager_,
        string memory managerName_,
        address poolLogic_,
        Fees memory fees,
        Asset[] memory assets
    ) external {
        require(factory == address(0), "Initializable: contract is already initialized");
        factory = factory_;
        poolLogic = poolLogic_;
        _setManager(manager_, managerName_);
        _setFees(fees);
        _changeAssets(assets, new address[](0));
    }

    function changeAssets(Asset[] calldata _addAssets, address[] calldata _removeAssets) external {
        require(
            msg.sender == manager || msg.sender == PoolFactory(factory).owner()
                || (msg.sender == trader && !traderAssetChangeDisabled),
            "only manager, owner or trader enabled"
        );
        _changeAssets(_addAssets, _removeAssets);
    }

    function setTraderAssetChangeDisabled(bool _disabled) external onlyManager {
        traderAssetChangeDisabled = _disabled;
        emit TraderAssetChangeDisabledUpdated(poolLogic, manager, _disabled);
        PoolFactory(factory).emitPoolManagerEvent();
    }

    function getSupportedAssets() external view returns (Asset[] memory) {
        return _supportedAssets;
    }

    function getDepositAssets() public view returns (address[] memory depositAssets) {
        uint256 count;
        depositAssets = new address[](_supportedAssets.length);
        for (uint256 i; i < _supportedAssets.length; i++) {
            if (_supportedAssets[i].isDeposit) depositAssets[count++] = _supportedAssets[i].asset;
        }
        assembly ("memory-safe") {
            mstore(depositAssets, count)
        }
    }

    function isSupportedAsset(address _asset) public view returns (bool) {
        return _position[_asset] != 0;
    }

    function isDepositAsset(address _asset) external view returns (bool) {
        uint256 position = _position[_asset];
        return position != 0 && _supportedAssets[position - 1].isDeposit;
    }

    /// `rates` are USD per whole unit, 18 decimals. One stale price makes the whole call revert.
    function getFundComposition()
        external
        view
        returns (Asset[] memory assets, uint256[] memory balances, uint256[] memory rates)
    {
        assets = _supportedAssets;
        balances = new uint256[](assets.length);
        rates = new uint256[](assets.length);
        for (uint256 i; i < assets.length; i++) {
            balances[i] = assetBalance(assets[i].asset);
            rates[i] = PoolFactory(factory).getAssetPrice(assets[i].asset);
        }
    }

    /// USD, 18 decimals.
    function totalFundValue() external view returns (uint256 total) {
        for (uint256 i; i < _supportedAssets.length; i++) {
            total += assetValue(_supportedAssets[i].asset);
        }
    }

    function assetBalance(address _asset) public view returns (uint256) {
        return _assetGuard(_asset).getBalance(poolLogic, _asset);
    }

    function assetDecimal(address _asset) public view returns (uint256) {
        return _assetGuard(_asset).getDecimals(_asset);
    }

    function assetValue(address _asset) public view returns (uint256) {
        return assetValue(_asset, assetBalance(_asset));
    }

    function assetValue(address _asset, uint256 _amount) public view returns (uint256) {
        return PoolFactory(factory).getAssetPrice(_asset) * _amount / 10 ** assetDecimal(_asset);
    }

    function getFee() external view returns (uint256, uint256, uint256, uint256, uint256) {
        return (_fees.performance, _fees.management, _fees.entry, _fees.exit, FEE_DENOMINATOR);
    }

    function _assetGuard(address asset) private view returns (IAssetGuard) {
        address guard = PoolFactory(factory).getAssetGuard(asset);
        require(guard != address(0), "invalid asset");
        return IAssetGuard(guard);
    }

    function _setFees(Fees memory fees) private {
        (uint256 performance, uint256 management, uint256 entry, uint256 exit, uint256 denominator) =
            PoolFactory(factory).getMaximumFee();
        require(
            fees.performance <= performance && fees.management <= management && fees.entry <= entry
                && fees.exit <= exit,
            "invalid manager fee"
        );
        _fees = fees;
        emit ManagerFeeSet(
            poolLogic, manager, fees.performance, fees.management, fees.entry, fees.exit, denominator
        );
        PoolFactory(factory).emitPoolManagerEvent();
    }

    function _changeAssets(Asset[] memory added, address[] memory removed) private {
        for (uint256 i; i < removed.length; i++) {
            _removeAsset(removed[i]);
        }
        for (uint256 i; i < added.length; i++) {
            _addAsset(added[i]);
        }
        require(
            _supportedAssets.length <= PoolFactory(factory).getMaximumSupportedAssetCount(), "maximum assets reached"
        );
        require(getDepositAssets().length > 0, "at least one deposit asset");
        PoolFactory(factory).emitPoolManagerEvent();
    }

    function _addAsset(Asset memory added) private {
        require(!PoolFactory(factory).isPool(added.asset), "cannot add pool asset");
        require(PoolFactory(factory).isValidAsset(added.asset), "invalid asset");
        if (isSupportedAsset(added.asset)) {
            _supportedAssets[_position[added.asset] - 1].isDeposit = added.isDeposit;
        } else {
            _supportedAssets.push(added);
            _position[added.asset] = _supportedAssets.length;
        }
        emit AssetAdded(poolLogic, manager, added.asset, added.isDeposit);
    }

    function _removeAsset(address removed) private {
        require(isSupportedAsset(removed), "asset not supported");
        require(assetBalance(removed) == 0, "cannot remove non-empty asset");
        uint256 position = _position[removed];
        Asset memory last = _supportedAssets[_supportedAssets.length - 1];
        _supportedAssets[position - 1] = last;
        _position[last.asset] = position;
        _supportedAssets.pop();
        delete _position[removed];
        emit AssetRemoved(poolLogic, manager, removed);
    }
}
