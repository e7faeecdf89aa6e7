// What is it doing now? Only a page that a server keeps up to date knows.

function drawRates() {}

function startLive() {}
