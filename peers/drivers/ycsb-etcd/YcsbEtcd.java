import corfu.peers.load.YcsbDriver;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ExecutionException;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB on etcd, for which YCSB has no binding. A record is one value, as in Corfu's store.
 *
 * <p>An update of some fields reads the record and puts it back, unless another client has changed
 * it meanwhile; then it tries again. Reads are linearizable.
 */
final class YcsbEtcd extends DB {

  private final KV keys;

  private YcsbEtcd(KV keys) {
    this.keys = keys;
  }

  public static void main(String[] servers) throws Exception {
    YcsbDriver.serve(
        () -> {
          KV keys = Client.builder().endpoints(servers).build().getKVClient();
          return () -> new YcsbEtcd(keys);
        },
        new Properties());
  }

  private static ByteSequence name(String key) {
    return ByteSequence.from(key, StandardCharsets.UTF_8);
  }

  private static ByteSequence encode(Map<String, byte[]> fields) {
    int size = 0;
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      size += 2 * Integer.BYTES + field.getKey().length() + field.getValue().length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    fields.forEach(
        (field, value) -> {
          byte[] name = field.getBytes(StandardCharsets.US_ASCII);
          out.putInt(name.length).put(name).putInt(value.length).put(value);
        });
    return ByteSequence.from(out.array());
  }

  private static Map<String, byte[]> decode(ByteSequence value) {
    ByteBuffer in = ByteBuffer.wrap(value.getBytes());
    Map<String, byte[]> fields = new LinkedHashMap<>();
    while (in.hasRemaining()) {
      byte[] name = new byte[in.getInt()];
      in.get(name);
      byte[] bytes = new byte[in.getInt()];
      in.get(bytes);
      fields.put(new String(name, StandardCharsets.US_ASCII), bytes);
    }
    return fields;
  }

  private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
    Map<String, byte[]> bytes = new LinkedHashMap<>();
    values.forEach((field, value) -> bytes.put(field, value.toArray()));
    return bytes;
  }

  private static void give(KeyValue found, Set<String> fields, Map<String, ByteIterator> result) {
    decode(found.getValue())
        .forEach(
            (field, value) -> {
              if (fields == null || fields.contains(field)) {
                result.put(field, new ByteArrayByteIterator(value));
              }
            });
  }

  private interface Call {
    Status make() throws ExecutionException, InterruptedException;
  }

  private static Status status(Call call) {
    try {
      return call.make();
    } catch (ExecutionException e) {
      return new Status("ERROR", String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Status.ERROR;
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return status(
        () -> {
          List<KeyValue> found = keys.get(name(key)).get().getKvs();
          found.forEach(each -> give(each, fields, result));
          return found.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    GetOption range =
        GetOption.builder()
            .withRange(ByteSequence.from(new byte[] {0}))
            .withLimit(count)
            .withSortField(GetOption.SortTarget.KEY)
            .withSortOrder(GetOption.SortOrder.NONE)
            .build();
    return status(
        () -> {
          for (KeyValue each : keys.get(name(startKey), range).get().getKvs()) {
            HashMap<String, ByteIterator> values = new HashMap<>();
            give(each, fields, values);
            result.add(values);
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return status(
        () -> {
          Map<String, byte[]> fresh = bytes(values);
          while (true) {
            List<KeyValue> found = keys.get(name(key)).get().getKvs();
            if (found.isEmpty()) {
              return Status.NOT_FOUND;
            }
            Map<String, byte[]> fields = decode(found.get(0).getValue());
            fields.putAll(fresh);
            Cmp unchanged =
                new Cmp(
                    name(key), Cmp.Op.EQUAL, CmpTarget.modRevision(found.get(0).getModRevision()));
            boolean isDone =
                keys.txn()
                    .If(unchanged)
                    .Then(Op.put(name(key), encode(fields), PutOption.DEFAULT))
                    .commit()
                    .get()
                    .isSucceeded();
            if (isDone) {
              return Status.OK;
            }
          }
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return status(
        () -> {
          keys.put(name(key), encode(bytes(values))).get();
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return status(
        () -> keys.delete(name(key)).get().getDeleted() == 0 ? Status.NOT_FOUND : Status.OK);
  }
}
