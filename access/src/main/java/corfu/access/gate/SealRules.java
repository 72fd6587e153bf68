package corfu.access.gate;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Permission;
import corfu.protocol.TokenSeal;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.TokenOutcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The rule that a client without {@code operate} writes only to addresses whose tokens it got. The
 * sequencer's gate seals tokens, the log unit's gate checks the seals. Lives on the server's loop.
 */
final class SealRules {

  /** Whether a client holds the tokens of the entries that it writes. */
  sealed interface Proof {

    /** All tokens are proven, or need no proof. */
    enum Given implements Proof {
      GIVEN
    }

    /** A token is not proven. */
    record Lacking(Failure failure) implements Proof {}

    /** The sequencer has to be asked first. */
    enum Unknown implements Proof {
      UNKNOWN
    }
  }

  private final LocalEntries entries;
  private final SequencerKeys others;
  private final TokenSealer own;

  SealRules(Surroundings surroundings) {
    this.entries = surroundings.entries();
    this.others = surroundings.sequencers();
    this.own = TokenSealer.draw(surroundings.random());
  }

  /** Returns the key by which this server seals tokens. */
  TokenSealer own() {
    return own;
  }

  // ------------------------------------------------------------------------------------- sealing

  /** Returns a receiver of the sequencer's reply that seals the tokens in it. */
  Consumer<Reply> sealing(Epoch epoch, IdentitySession who, Consumer<Reply> reply) {
    return answer ->
        reply.accept(
            switch (answer) {
              case SequencerReply.Tokens tokens when tokens.count() > 0 ->
                  new SequencerReply.Tokens(
                      tokens.first(),
                      tokens.count(),
                      Optional.of(own.seal(epoch, tokens.first(), tokens.count(), who.identity())));
              case SequencerReply.StreamTokens tokens ->
                  new SequencerReply.StreamTokens(
                      tokens.outcomes(), seal(tokens.outcomes(), epoch, who));
              default -> answer;
            });
  }

  /** Seals the issued tokens of one request, which are a run of addresses. */
  private Optional<TokenSeal> seal(List<TokenOutcome> outcomes, Epoch epoch, IdentitySession who) {
    long first = -1;
    int count = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof TokenOutcome.Issued(long address, var places)) {
        first = count == 0 ? address : first;
        if (address != first + count) {
          throw new IllegalStateException(
              "the sequencer issued address %d behind %d to %d in one request; please report this"
                  .formatted(address, first, first + count - 1));
        }
        count++;
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(own.seal(epoch, first, count, who.identity()));
  }

  // ------------------------------------------------------------------------------------ checking

  /**
   * Returns whether a client holds the tokens of the entries that it writes. The unit refuses all
   * writes of an epoch that it does not serve, so that such a write needs no proof.
   */
  Proof proof(LogUnitRequest.Write write, IdentitySession who) {
    if (!entries.isServing(write.epoch())) {
      return Proof.Given.GIVEN;
    }
    List<TokenSeal> seals = write.seals();
    for (int i = 0; i < seals.size(); i++) {
      TokenSeal seal = seals.get(i);
      if (!who.hasProven(seal, write.epoch())) {
        Optional<TokenSealer> key =
            seal.keyId() == own.key().id() ? Optional.of(own) : others.find(seal.keyId());
        if (key.isEmpty()) {
          return Proof.Unknown.UNKNOWN;
        }
        if (!key.get().isGenuine(seal, write.epoch(), who.identity())) {
          return new Proof.Lacking(lacking(seal.first(), write.epoch(), who));
        }
        who.proves(seal, write.epoch());
      }
    }
    OptionalLong uncovered = firstUncovered(write.entries(), seals);
    if (uncovered.isEmpty()) {
      return Proof.Given.GIVEN;
    }
    return switch (others.in(write.epoch())) {
      case UNKNOWN -> Proof.Unknown.UNKNOWN;
      case UNSEALED -> Proof.Given.GIVEN;
      case SEALED ->
          new Proof.Lacking(
              seals.isEmpty()
                  ? unsealed(write.epoch(), who)
                  : lacking(uncovered.getAsLong(), write.epoch(), who));
    };
  }

  private static OptionalLong firstUncovered(List<Entry> written, List<TokenSeal> seals) {
    int last = 0; // the entries of a run follow each other
    for (int i = 0; i < written.size(); i++) {
      long address = written.get(i).address();
      if (last < seals.size() && seals.get(last).covers(address)) {
        continue;
      }
      last = 0;
      while (last < seals.size() && !seals.get(last).covers(address)) {
        last++;
      }
      if (last == seals.size()) {
        return OptionalLong.of(address);
      }
    }
    return OptionalLong.empty();
  }

  /** Clients that speak an earlier version of the protocol get no seals. */
  private static Failure unsealed(Epoch epoch, IdentitySession who) {
    return new Failure.Forbidden(
        Permission.OPERATE,
        Optional.empty(),
        ("the write of %s in epoch %s has no seal of its tokens; use a client that speaks version 3"
                + " of the protocol, because only operate allows to write without a seal")
            .formatted(who.identity(), epoch));
  }

  private static Failure lacking(long address, Epoch epoch, IdentitySession who) {
    return new Failure.Forbidden(
        Permission.OPERATE,
        Optional.empty(),
        ("the sequencer of epoch %s has given the token of address %d to another client than %s;"
                + " append with a token of your own, and ask a server to settle the address; only"
                + " operate allows to write there")
            .formatted(epoch, address, who.identity()));
  }
}
