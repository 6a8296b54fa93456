// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Which guard watches which contract, and which guard knows which type of asset.
abstract contract GuardRegistry is Ownable {
    mapping(address target => address guard) public contractGuards;
    mapping(uint16 assetType => address guard) public assetGuards;

    event ContractGuardSet(address extContract, address guardAddress);
    event AssetGuardSet(uint16 assetType, address guardAddress);

    function setContractGuard(address extContract, address guardAddress) external onlyOwner {
        contractGuards[extContract] = guardAddress;
        emit ContractGuardSet(extContract, guardAddress);
    }

    function setAssetGuard(uint16 assetType, address guardAddress) external onlyOwner {
        assetGuards[assetType] = guardAddress;
        emit AssetGuardSet(assetType, guardAddress);
    }

    function getContractGuard(address extContract) external view returns (address guard) {
        return contractGuards[extContract];
    }
}
