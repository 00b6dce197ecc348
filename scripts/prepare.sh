# npm runs this script after an install.
# Most versions of npm before 11.19 remove the link node_modules/.bin/node at the end of an install: two optional packages have it,
# and npm removes the files of the one that is for another processor.
for program in node_modules/node-linux-*/bin/node; do
  if [ -x "$program" ] && [ ! -e node_modules/.bin/node ]; then
    mkdir -p node_modules/.bin
    ln -sf "../${program#node_modules/}" node_modules/.bin/node
  fi
done
# Production installs have no git hooks, and a copy without .git cannot have any.
[ ! -x node_modules/.bin/simple-git-hooks ] || node_modules/.bin/simple-git-hooks > /dev/null 2>&1 || true
