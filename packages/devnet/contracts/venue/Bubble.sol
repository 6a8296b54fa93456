// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Calls that fail with exactly what their target failed with.
library Bubble {
    function call(address target, bytes memory data) internal {
        (bool success, bytes memory result) = target.call(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(result, 32), mload(result))
        }
    }
}
