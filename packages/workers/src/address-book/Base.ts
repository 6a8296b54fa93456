/**
 * Contracts and assets of the vault platform on base. Written by scripts/address-book.mjs from the platform's published
 * configuration of April 2026; do not edit.
 */
import type { PublishedNetwork } from "./PublishedNetwork.ts"

export const base: PublishedNetwork = {
  contracts: {
    velodromeGauges: [
      "0xbd85d45f1636fceb2359d9dcf839f12b3cf5af3f",
      "0x2a1f7bf46bd975b5004b61c6040597e1b6117040",
      "0x1f6c9d116ce22b51b0bc666f86b038a6c19900b8",
      "0x41b2126661c673c2bedd208cc72e85dc51a5320a",
      "0x6399ed6725cc163d019aa64ff55b22149d7179a8",
      "0xb57ec27f68bd356e300d57079b6cdbe57d50830d",
      "0xe2a2b1d8aa4bd8a05e517ccf61e96a727831b63e",
      "0xf33a96b5932d9e9b9a0eda447abd8c9d48d2e0c8"
    ],
    fTokens: [
      "0xf42f5795d9ac7e9d757db633d693cd548cfd9169",
      "0x9272d6153133175175bc276512b2336be3931ce9",
      "0x1943fa26360f038230442525cf1b9125b5dcb401",
      "0xf62e339f21d8018940f188f6987bcdf02a849619",
      "0x896e39f0e9af61eca9dd2938e14543506ef2c2b5",
      "0x8ddbffa3cfda2355a23d6b11105ac624bdbe3631"
    ],
    comets: [
      "0xb125e6687d4313864e53df431d5425969c15eb2f",
      "0x2c776041ccfe903071af44aa147368a9c8eea518",
      "0x46e6b214b524310239732d51387075e0e70970bf"
    ],
    aaveV3: "0xa238dd80c259a72e81d7e4664a9801593f98d1c5",
    kyberswap: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    odosV3: "0x0d05a7d3448512b78fa8a9e46c4872c88c4a0d05",
    pancakeMasterChef: "0xc6a2db661d5a5690172d8eb0a7dea2d3008665a3",
    pancakePositions: "0x46a15b0b27311cedf172ab29e4f4766fbe7f4364",
    velodromePositions: "0x827922686190790b37229fd06084350e74485b72",
    oneInch: "0x111111125421ca6dc452d289314280a0f8842a65",
    easySwapper: "0xf067575eb60c7587c11e867907aa7284833704d1"
  },
  assets: [
    ["USDC", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", 4, "0x7e860098f58bbfc8648a4311b374b1d669a2bc6b"],
    ["USDbC", "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", 0, "0x7e860098f58bbfc8648a4311b374b1d669a2bc6b"],
    ["DAI", "0x50c5725949a6f0c72e6c4a641f24049a917db0cb", 0, "0x591e79239a7d679378ec8c847e5038150364c78f"],
    ["cbETH", "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22", 0, "0xd7818272b9e248357d13057aab0b417af31e817d"],
    ["WETH", "0x4200000000000000000000000000000000000006", 4, "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70"],
    ["Aerodrome VARIABLE WETH/USDC", "0xcdac0d6c6c59727a65f871236188350531885c43", 25],
    ["AERO", "0x940181a94a35a4569e4529a3cdfb74e38fd98631", 200, "0x4ec5970fc728c5f65ba413992cd5ff6fd70fcff0"],
    ["Aave Lending Pool V3", "0xa238dd80c259a72e81d7e4664a9801593f98d1c5", 8],
    ["Aerodrome VARIABLE WETH/DHT", "0x688b0380360c84135769d4f75d70038119846a8e", 25],
    ["DHT", "0x54bc229d1cb15f8b6415efeab4290a40bc8b7d84", 0],
    ["Aerodrome VARIABLE USDC/AERO", "0x6cdcb1c4a4d1c3c6d054b27ac5b77e89eafb971d", 25],
    ["Aerodrome VARIABLE cbETH/WETH", "0x44ecc644449fc3a9858d2007caa8cfaa4c561f91", 25],
    ["Aerodrome VARIABLE WETH/wstETH", "0xa6385c73961dd9c58db2ef0c4eb98ce4b60651e8", 25],
    ["Aerodrome VARIABLE AERO/USDbC", "0x2223f9fe624f69da4d8256a7bcc9104fba7f8f75", 25],
    ["Aerodrome VARIABLE WETH/USDbC", "0xb4885bc63399bf5518b994c1d0c153334ee579d0", 25],
    ["Aerodrome VARIABLE AERO/wstETH", "0x82a0c1a0d4ef0c0ca3cfda3ad1aa78309cc6139b", 25],
    ["Aerodrome VARIABLE WETH/AERO", "0x7f670f78b17dec44d5ef68a48740b6f8849cc2e6", 25],
    ["Aerodrome STABLE USDC/USDbC", "0x27a8afa3bd49406e48a074350fb7b2020c43b2bd", 25],
    ["wstETH", "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452", 0],
    ["rETH", "0xb6fe221fe9eef5aba221c348ba20a1bf5e73624c", 22],
    ["SNX", "0x22e6966b799c4d5b13be962e1d117b56327fda66", 0, "0xe3971ed6f1a5903321479ef3148b5950c0612075"],
    ["UNIT", "0xb95fb324b8a2faf8ec4f76e3df46c718402736e2", 21],
    ["Flat Money Perp Market", "0xdb0cd65dcc7fe07003ce1201f91e1f966fa95768", 27],
    ["Aerodrome STABLE WETH/rETH", "0xb8866732424acddd729c6fcf7146b19bfe4a2e36", 25],
    ["Aerodrome NonfungiblePositionManager", "0x827922686190790b37229fd06084350e74485b72", 26],
    ["USDT", "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", 0, "0xf19d560eb8d2adf07bd6d13ed03e1d11215721f9"],
    ["EURC", "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42", 0, "0xdae398520e2b67cd3f27aef9cf14d93d927f8250"],
    ["Aerodrome VARIABLE EURC/USDC", "0xfdf5139b38525627b47538536042a7c8d2686bd9", 25],
    ["Aerodrome STABLE USDC/eUSD", "0x7a034374c89c463dd65d8c9bcfe63bcbced41f4f", 25],
    ["eUSD", "0xcfa3ef56d303ae4faaba0592388f19d7c3399fb4", 0],
    ["tBTC", "0x236aa50979d5f3de3bd1eeb40e81137f22ab794b", 0, "0x6d75bfb5a5885f841b132198c9f0be8c872057bf"],
    ["cbBTC", "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", 4, "0x07da0e54543a844a80abe69c8a12f22b3aa59f9d"],
    ["Aerodrome STABLE tBTC/cbBTC", "0x488d6ea6064eee9352fdcdb7bc50d98a7ff3ad4e", 25],
    ["EasySwapperV2 Unrolled Assets", "0xf067575eb60c7587c11e867907aa7284833704d1", 30],
    ["weETH", "0x04c0599ae5a44757c0af6f9ec3b93da8976c150a", 0],
    ["Aerodrome VARIABLE weETH/WETH", "0x91f0f34916ca4e2cce120116774b0e4fa0cdcaa8", 25],
    ["Aerodrome VARIABLE WETH/cbBTC", "0x2578365b3dfa7ffe60108e181efb79feddec2319", 25],
    ["Aerodrome VARIABLE USDC/cbBTC", "0x9c38b55f9a9aba91bbcedeb12bf4428f47a6a0b8", 25],
    ["Pancakeswap NonfungiblePositionManager", "0x46a15b0b27311cedf172ab29e4f4766fbe7f4364", 31],
    ["USDS", "0x820c137fa70c8691f0e44dc420a5e53c168921dc", 0, "0x2330aae3bca5f05169d5f4597964d44522f62930"],
    ["sUSDS", "0x5875eee11cf8398102fdad704c9e96607675467a", 0],
    ["Fluid USDC", "0xf42f5795d9ac7e9d757db633d693cd548cfd9169", 34],
    ["Fluid WETH", "0x9272d6153133175175bc276512b2336be3931ce9", 34],
    ["Fluid EURC", "0x1943fa26360f038230442525cf1b9125b5dcb401", 34],
    ["Fluid sUSDS", "0xf62e339f21d8018940f188f6987bcdf02a849619", 34],
    ["cUSDCv3", "0xb125e6687d4313864e53df431d5425969c15eb2f", 28, "0x7e860098f58bbfc8648a4311b374b1d669a2bc6b"],
    ["cUSDSv3", "0x2c776041ccfe903071af44aa147368a9c8eea518", 28, "0x2330aae3bca5f05169d5f4597964d44522f62930"],
    ["cWETHv3", "0x46e6b214b524310239732d51387075e0e70970bf", 28, "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70"],
    ["GHO", "0x6bb7a212910682dcfdbd5bcbb3e28fb4e8da10ee", 0, "0x42868efcee13c0e71af89c04ff7d96f5bec479b0"],
    ["MORPHO", "0xbaa5cc21fd487b8fcc2f632f3f4e8d37262a0842", 0, "0xe95e258bb6615d47515fc849f8542da651f12bf6"],
    ["Fluid wstETH", "0x896e39f0e9af61eca9dd2938e14543506ef2c2b5", 34],
    ["Fluid GHO", "0x8ddbffa3cfda2355a23d6b11105ac624bdbe3631", 34]
  ]
}
