# Runs Node.js with the given arguments and its compile cache. Compiling takes nearly half of the start of the service, and a
# process that finds no compiled module keeps the remover of types in memory, which takes 16 MB.
# The cache is in node_modules, which only accounts that may change the program can write. It is used only by the owner of
# node_modules: files that root created there, an ordinary user could not delete. Other accounts can set NODE_COMPILE_CACHE.
if [ -z "$NODE_COMPILE_CACHE" ] && [ -O node_modules ]; then
  export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
fi
exec node "$@"
