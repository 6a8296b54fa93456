// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IAggregator} from "../feed/IAggregator.sol";

/// Which assets exist on the platform, of which type they are and what they are worth.
abstract contract AssetHandler is Ownable {
    struct AssetInfo {
        uint16 assetType;
        address aggregator;
    }

    /// Seconds after which an answer is too old to be used.
    uint256 public chainlinkTimeout = 90_000;

    mapping(address asset => AssetInfo) private _assets;

    event AddedAsset(address asset, uint16 assetType, address aggregator);

    function addAsset(address asset, uint16 assetType, address aggregator) external onlyOwner {
        require(asset != address(0), "asset address cannot be 0");
        require(aggregator != address(0), "aggregator address cannot be 0");
        _assets[asset] = AssetInfo(assetType, aggregator);
        emit AddedAsset(asset, assetType, aggregator);
    }

    function setChainlinkTimeout(uint256 timeout) external onlyOwner {
        chainlinkTimeout = timeout;
    }

    function isValidAsset(address asset) public view returns (bool) {
        return _assets[asset].aggregator != address(0);
    }

    function getAssetType(address asset) public view returns (uint16) {
        return _assets[asset].assetType;
    }

    function priceAggregators(address asset) external view returns (address) {
        return _assets[asset].aggregator;
    }

    /// USD per whole token, 18 decimals. Feeds answer with 8.
    function getAssetPrice(address asset) external view returns (uint256 price) {
        address aggregator = _assets[asset].aggregator;
        require(aggregator != address(0), "Price aggregator not found");
        try IAggregator(aggregator).latestRoundData() returns (
            uint80, int256 answer, uint256, uint256 updatedAt, uint80
        ) {
            require(updatedAt + chainlinkTimeout >= block.timestamp, "Chainlink price expired");
            if (answer > 0) price = uint256(answer) * 1e10;
        } catch {
            revert("Price get failed");
        }
        require(price > 0, "Price not available");
    }
}
