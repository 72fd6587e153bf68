package corfu.roles.sequencer;

import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerRequest.Adopt;
import corfu.protocol.message.SequencerRequest.AskStreams;
import corfu.protocol.message.SequencerRequest.NextInStreams;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.util.List;
import java.util.Optional;

/**
 * The limits of one request to a sequencer. The methods return the reason for a refusal, or empty.
 */
record RequestLimits(Limits limits) {

  Optional<Reply> refusal(int tokens) {
    int most = limits.maxAddressesPerRequest();
    if (tokens < 1) {
      return Optional.of(
          new Failure.Refused(
              Failure.Cause.MALFORMED, "a client asks for 1 token or more, but not for " + tokens));
    }
    return tokens > most
        ? tooLarge("one request may ask for up to " + most + " tokens, but not for " + tokens)
        : Optional.empty();
  }

  Optional<Reply> refusal(NextInStreams ask) {
    return refusal(ask.wishes().size())
        .or(() -> refusalOfNames(named(ask)))
        .or(() -> ask.wishes().stream().flatMap(wish -> refusal(wish).stream()).findFirst());
  }

  Optional<Reply> refusal(AskStreams ask) {
    return refusalOfNames((long) ask.streams().size() + ask.known().size())
        .or(() -> refusalOfReserved(ask.streams()));
  }

  Optional<Reply> refusal(Adopt adopt) {
    return refusalOfNames(adopt.ends().size())
        .or(() -> refusalOfReserved(adopt.ends().stream().map(StreamTail::stream).toList()));
  }

  private Optional<Reply> refusal(TokenWish wish) {
    int streams = wish.writes().size();
    if (streams > limits.maxStreamsPerEntry()) {
      return tooLarge(
          "an entry may be in up to "
              + limits.maxStreamsPerEntry()
              + " streams, but not in "
              + streams
              + "; write several entries, or raise max-streams in the configuration of servers and"
              + " clients");
    }
    return wish.condition()
        .flatMap(
            condition ->
                refusalOfReserved(condition.reads().stream().map(StreamPart::stream).toList()));
  }

  private static Optional<Reply> refusalOfReserved(List<StreamId> read) {
    return read.contains(StreamId.NONE)
        ? Optional.of(
            new Failure.Refused(
                Failure.Cause.MALFORMED,
                "stream " + StreamId.NONE + " is reserved: no sequencer issues tokens in it"))
        : Optional.empty();
  }

  private Optional<Reply> refusalOfNames(long named) {
    int most = limits.maxNamesPerRequest();
    return named > most
        ? tooLarge(
            "one request may name up to "
                + most
                + " streams and keys, but not "
                + named
                + "; ask in several requests")
        : Optional.empty();
  }

  private static long named(NextInStreams ask) {
    long named = ask.wishes().size() + (long) ask.known().size();
    for (TokenWish wish : ask.wishes()) {
      named += named(wish.writes());
      if (wish.condition().isPresent()) {
        named += named(wish.condition().get().reads());
      }
    }
    return named;
  }

  private static long named(List<StreamPart> parts) {
    long named = parts.size();
    for (StreamPart part : parts) {
      named += part.keys().size();
    }
    return named;
  }

  private static Optional<Reply> tooLarge(String reason) {
    return Optional.of(new Failure.Refused(Failure.Cause.TOO_LARGE, reason));
  }
}
