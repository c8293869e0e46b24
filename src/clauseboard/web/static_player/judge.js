// Judgement: the clauses of data.js over what a game counts (countsOf), as in Python.
"use strict";

function fires(clause, ours, theirs) {
  return clause.when.every(([index, kind, level, wanted]) => {
    const lead = ours[index] - theirs[index];
    const reached = kind === PLAYER.we ? ours[index] >= level
      : kind === PLAYER.they ? theirs[index] >= level
      : level > 0 ? lead >= level : lead <= level;
    return reached === wanted;
  });
}

// The votes for the side to move, in hundredths of the logarithm of the odds.
function votesOf(position) {
  const [ours, theirs] = countsOf(position);
  let votes = 0;
  for (const clause of PLAYER.clauses) {
    votes += clause.votes * (fires(clause, ours, theirs) - fires(clause, theirs, ours));
  }
  return votes;
}

const chanceOf = (votes) => 1 / (1 + Math.exp(-votes / PLAYER.unit));

// The lines of an account for a side: each concept with its points and its clauses.
function linesOf(position, side) {
  const [ours, theirs] = countsOf(position), mover = position.side, lines = new Map();
  for (const clause of PLAYER.clauses) {
    const forUs = fires(clause, ours, theirs), forThem = fires(clause, theirs, ours);
    if (forUs === forThem) continue;
    const whose = forUs ? mover : 1 - mover, votes = whose === side ? clause.votes : -clause.votes;
    const line = lines.get(clause.concept) || { concept: clause.concept, votes: 0, clauses: [] };
    line.votes += votes;
    line.clauses.push({ votes, text: clause.text[SIDES[whose]], subject: clause.subject[SIDES[whose]] });
    lines.set(clause.concept, line);
  }
  const told = [...lines.values()].filter((line) => line.votes !== 0);
  for (const line of told) {
    line.clauses.sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes));
    const speaking = line.clauses.find((clause) => clause.votes > 0 === line.votes > 0);
    line.text = (speaking || line.clauses[0]).subject;
  }
  return told.sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes));
}
