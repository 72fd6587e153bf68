package corfu.roles.logunit;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.StreamScan;
import corfu.roles.Lease;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.membership.Epochs;
import corfu.roles.logunit.membership.Membership;
import corfu.roles.logunit.membership.OwnPlaces;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.request.BlockReads;
import corfu.roles.logunit.request.EntryStreams;
import corfu.roles.logunit.request.ReadHandler;
import corfu.roles.logunit.request.RepairHandler;
import corfu.roles.logunit.request.RequestValidator;
import corfu.roles.logunit.request.StreamAnswers;
import corfu.roles.logunit.request.StreamReads;
import corfu.roles.logunit.request.StreamUsageScan;
import corfu.roles.logunit.request.TrimHandler;
import corfu.roles.logunit.request.WriteHandler;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.store.Place;
import corfu.roles.logunit.store.Store;
import corfu.roles.logunit.stream.Confirmed;
import corfu.roles.logunit.stream.Followers;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides which requests are served, passes each to its handler, and checks each answer before it
 * leaves.
 *
 * <p>Lives on the unit's thread.
 */
final class RequestDispatcher {

  /** The reason why a closed unit serves no requests. */
  static final String CLOSED = "this log unit has been closed";

  private static final String NO_LEASE =
      "this log unit has no lease and does not answer reads, because it does not reach a majority"
          + " of the layout servers; try again";

  private final Place place;
  private final LogUnitOptions options;
  private final Lease lease;
  private final Membership membership;
  private final DiskTrust trust;
  private final Epochs epochs;
  private final OwnPlaces places;
  private final RequestValidator validator;
  private final Confirmed confirmed = new Confirmed();
  private final Followers followers;
  private Store store;
  private ReadHandler answers;
  private BlockReads blockReads;
  private StreamAnswers streamAnswers;
  private StreamReads streamPlay;
  private TrimHandler trims;
  private WriteHandler writes;
  private EntryStreams entryStreams;
  private StreamUsageScan usageScan;
  private Epoch followedIn = Epoch.NONE;
  private boolean closed;

  /**
   * @param place the unit's resources
   * @param lease whether the unit may answer reads
   * @param membership serves seals, layouts and resets
   * @param trust whether anybody may rely on the disk
   * @param store serves the other requests
   */
  RequestDispatcher(Place place, Lease lease, Membership membership, DiskTrust trust, Store store) {
    this.place = place;
    this.options = place.options();
    this.lease = lease;
    this.membership = membership;
    this.trust = trust;
    this.epochs = membership.epochs();
    this.places = new OwnPlaces(epochs);
    this.validator = new RequestValidator(epochs, options.limits());
    this.followers =
        new Followers(
            place.world(), options.followers(), RequestValidator.mostReplyBytes(options.limits()));
    use(store);
  }

  /** Serves requests from this store, which is empty, from now on. */
  void startAgain(Store empty) {
    use(empty);
    confirmed.clear();
  }

  private void use(Store present) {
    store = present;
    AddressSpace space = store.space();
    answers = new ReadHandler(space, options.limits());
    blockReads = new BlockReads(space, answers, options.limits());
    streamAnswers = new StreamAnswers(space, options.limits());
    entryStreams = new EntryStreams(space, answers);
    usageScan = new StreamUsageScan(space.index(), places);
    streamPlay = new StreamReads(space, answers);
    trims = new TrimHandler(store, place, this::admit);
    writes = new WriteHandler(space, answers, followers, options.gatherBytes());
  }

  /** The unit's entries, also after a reset. */
  private final class Entries implements LocalEntries {
    @Override
    public Local at(long address) {
      return closed || store.isBroken() ? Local.Unknown.CORRUPT : entryStreams.at(address);
    }

    @Override
    public boolean isPlaceOf(Entry entry, Epoch epoch) {
      return places.contains(entry, epoch);
    }

    @Override
    public boolean isServing(Epoch epoch) {
      return epochs.objection(epoch).isEmpty();
    }

    @Override
    public boolean isHeadOf(long address) {
      return places.isHeadOf(address);
    }

    @Override
    public int chains() {
      return places.chains();
    }

    @Override
    public void own(StreamId stream, int owner) {
      if (!closed && !store.isBroken()) {
        store.space().index().streams.own(stream, owner);
      }
    }

    @Override
    public StreamScan scan() {
      return (most, visitor) -> !closed && !store.isBroken() && usageScan.next(most, visitor);
    }
  }

  LocalEntries entries() {
    return new Entries();
  }

  void handle(LogUnitRequest request, Consumer<Reply> reply) {
    store.requested();
    admit(request, reply);
  }

  /**
   * Admits a request. A request that was admitted before and had to wait may be out of date by now,
   * so it is checked again.
   */
  private void admit(LogUnitRequest request, Consumer<Reply> reply) {
    admit(request, () -> serve(request, reply), reply);
  }

  private void admit(LogUnitRequest request, Runnable serve, Consumer<Reply> reply) {
    if (closed) {
      reply.accept(new Failure.NotServing(CLOSED));
    } else if (store.isBroken()) {
      reply.accept(new Failure.Broken(store.brokenBecause()));
    } else {
      objection(request).ifPresentOrElse(failure -> reply.accept(failure), serve);
    }
  }

  private Optional<Failure> objection(LogUnitRequest request) {
    Optional<String> doubt = trust.objection(request);
    return doubt.isPresent()
        ? Optional.of(new Failure.NotServing(doubt.get()))
        : validator.to(request);
  }

  private void serve(LogUnitRequest request, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest.Write write -> writes.write(write.entries(), reply);
      case LogUnitRequest.Repair repair ->
          new RepairHandler(store.space(), answers, writes::winner).repair(repair.entries(), reply);
      case LogUnitRequest.Read read ->
          give(marked(answers.read(read.addresses(), read.maxBytes())), request, reply);
      case LogUnitRequest.ReadBlocks read ->
          give(blockReads.read(read, this::isUnconfirmed), request, reply);
      case LogUnitRequest.Trim trim -> trims.trim(trim, reply);
      case LogUnitRequest.PrefixTrim trim -> {
        confirmed.removeBelow(trim.before());
        trims.prefixTrim(trim, reply);
      }
      case LogUnitRequest.Inspect inspect ->
          give(answers.inspect(inspect.addresses()), request, reply);
      case LogUnitRequest.AskTail ask ->
          give(new ReadHandler.Answer.Ready(answers.tail()), request, reply);
      case LogUnitRequest.CopyRange copy -> give(answers.copyRange(copy), request, reply);
      case LogUnitRequest.Seal seal -> {
        membership.seal(seal, reply);
        dismissFollowers();
      }
      case LogUnitRequest.Install install ->
          membership.install(
              install.layout(),
              answer -> {
                dismissFollowers();
                reply.accept(answer);
              });
      case LogUnitRequest.Reset reset -> membership.reset(reset.epoch(), reply);
      case LogUnitRequest.Compress compress -> {
        store.compression().compressBefore(compress.before());
        reply.accept(store.compression().standing());
      }
      case LogUnitRequest.AskCompression ask -> reply.accept(store.compression().standing());
      case LogUnitRequest.AskScrub ask -> reply.accept(store.scrubber().standing());
      case LogUnitRequest.AskUsage ask -> reply.accept(answers.usage(options.mode()));
      case LogUnitRequest.FindInStreams find -> give(streamAnswers.find(find), request, reply);
      case LogUnitRequest.ListStreams list -> give(streamAnswers.list(list), request, reply);
      case LogUnitRequest.ReadStream read -> give(streamPlay.read(read), request, reply);
      case LogUnitRequest.Complete complete -> {
        confirmed.add(complete.addresses());
        reply.accept(Reply.Done.DONE);
      }
      case LogUnitRequest.Follow follow -> {
        followedIn = follow.epoch();
        reply.accept(followers.follow(follow));
      }
      case LogUnitRequest.Listen listen -> followers.listen(listen, reply);
      case LogUnitRequest.TrimStream trim -> trims.trimStream(trim, reply);
    }
  }

  /** Dismisses the followers if their epoch is over. */
  private void dismissFollowers() {
    epochs.objection(followedIn).ifPresent(followers::dismiss);
  }

  // ------------------------------------------------------------------------------------- answers

  private boolean isUnconfirmed(long address) {
    return epochs.layout().filter(layout -> confirmed.isUnconfirmed(address, layout)).isPresent();
  }

  private ReadHandler.Answer marked(ReadHandler.Answer answer) {
    return answer instanceof ReadHandler.Answer.Ready(LogUnitReply.Reads reads)
        ? new ReadHandler.Answer.Ready(confirmed.mark(reads, epochs.layout()))
        : answer;
  }

  /**
   * Sends an answer. Without a lease the answer might be stale, because another layout may be in
   * force by now.
   */
  private void give(ReadHandler.Answer answer, LogUnitRequest request, Consumer<Reply> reply) {
    switch (answer) {
      case ReadHandler.Answer.Ready(LogUnitReply ready) ->
          reply.accept(
              lease.isValidIn(epochs.installed())
                  ? inTime(ready)
                  : new Failure.NotServing(NO_LEASE));
      case ReadHandler.Answer.After(CommitBatch batch) -> {
        Runnable again = () -> admit(request, reply);
        batch.await(CommitBatch.Waiting.of(again, again, reply));
      }
    }
  }

  /**
   * Returns the answer, or a refusal if the unit answers only reads. Among these, only entries are
   * answered, which nobody can have changed.
   */
  private Reply inTime(LogUnitReply ready) {
    return epochs.isOpenForReads() && !hasOnlyEntries(ready)
        ? new Failure.Sealed(epochs.current())
        : ready;
  }

  private static boolean hasOnlyEntries(LogUnitReply ready) {
    return switch (ready) {
      case LogUnitReply.Reads(var outcomes) ->
          outcomes.stream().allMatch(ReadOutcome.Found.class::isInstance);
      case LogUnitReply.FoundBlocks(var outcomes) ->
          outcomes.stream()
              .allMatch(
                  outcome ->
                      outcome instanceof BlocksOutcome.Found
                          || outcome instanceof BlocksOutcome.Whole);
      default -> false;
    };
  }

  boolean isClosed() {
    return closed;
  }

  /** Refuses all requests from now on, and answers the followers. */
  void close() {
    closed = true;
    followers.dismiss(new Failure.NotServing(CLOSED));
  }

  /** Refuses all requests from now on, and answers nobody. */
  void abandon() {
    closed = true;
    followers.abandon();
  }
}
