// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Asset} from "../platform/Asset.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";

/// Stands in for a leveraged or inverse vault of the platform: a vault token whose price is its feed's. It is bought with its first asset and redeemed for all of them, in fixed parts.
contract PoolToken is ERC20, Ownable {
    using SafeERC20 for IERC20;

    uint256 private constant BASIS_POINTS = 10_000;

    PoolFactory public immutable factory;
    Asset[] private _assets;
    /// Basis points of a redemption's value that each asset pays.
    uint256[] private _parts;
    mapping(address holder => uint256) private _lockedUntil;

    constructor(string memory name_, string memory symbol_, address factory_, address[] memory assets)
        ERC20(name_, symbol_)
        Ownable(msg.sender)
    {
        factory = PoolFactory(factory_);
        for (uint256 i; i < assets.length; i++) {
            _assets.push(Asset(assets[i], i == 0));
            _parts.push(i == 0 ? BASIS_POINTS : 0);
        }
    }

    /// Which part of a redemption each asset pays; they add up to 10,000.
    function setParts(uint256[] calldata parts) external onlyOwner {
        require(parts.length == _assets.length, "one part per asset");
        _parts = parts;
    }

    /// The manager logic of a vault; here it is the vault itself.
    function poolManagerLogic() external view returns (address) {
        return address(this);
    }

    function getSupportedAssets() external view returns (Asset[] memory) {
        return _assets;
    }

    function isDepositAsset(address asset) public view returns (bool) {
        return asset == _assets[0].asset;
    }

    /// USD per whole token, 18 decimals.
    function tokenPrice() public view returns (uint256) {
        return factory.getAssetPrice(address(this));
    }

    function getExitRemainingCooldown(address holder) public view returns (uint256) {
        return _lockedUntil[holder] > block.timestamp ? _lockedUntil[holder] - block.timestamp : 0;
    }

    /// Vault tokens for a deposit.
    function quoteOf(address asset, uint256 amount) public view returns (uint256) {
        return amount * factory.getAssetPrice(asset) * 1e18 / (10 ** IERC20Metadata(asset).decimals() * tokenPrice());
    }

    function depositForWithCustomCooldown(address recipient, address asset, uint256 amount, uint256 cooldown)
        external
        returns (uint256 minted)
    {
        require(isDepositAsset(asset), "dh8");
        minted = quoteOf(asset, amount);
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        _lockedUntil[recipient] = block.timestamp + cooldown;
        _mint(recipient, minted);
    }

    /// Pays out the assets that the caller's tokens stand for.
    function withdrawTo(address recipient, uint256 amount)
        external
        returns (address[] memory tokens, uint256[] memory amounts)
    {
        uint256 value = amount * tokenPrice() / 1e18;
        _burn(msg.sender, amount);
        tokens = new address[](_assets.length);
        amounts = new uint256[](_assets.length);
        for (uint256 i; i < _assets.length; i++) {
            address asset = _assets[i].asset;
            tokens[i] = asset;
            amounts[i] = value * _parts[i] * 10 ** IERC20Metadata(asset).decimals()
                / (BASIS_POINTS * factory.getAssetPrice(asset));
            if (amounts[i] > 0) IERC20(asset).safeTransfer(recipient, amounts[i]);
        }
    }

    /// Tokens do not leave a holder who is in cooldown.
    function _update(address from, address to, uint256 amount) internal override {
        require(from == address(0) || getExitRemainingCooldown(from) == 0, "dh3");
        super._update(from, to, amount);
    }
}
