// Test runners replace import() in what they load. Here, it is that of Node.
exports.nativeImport = (specifier) => import(specifier);
