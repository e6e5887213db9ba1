"""The page "Your table, here" in browsers: files read, trees grown, answers shown."""
