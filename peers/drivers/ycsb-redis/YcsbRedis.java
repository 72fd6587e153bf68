import corfu.peers.load.YcsbDriver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * YCSB on Redis, as in YCSB's own binding: one hash per record, and a sorted set of keys for scans.
 *
 * <p>Unlike the binding, which sorts by the keys' hash codes, it sorts the set by the keys: so
 * scans are in key order. An insert is one round trip.
 */
final class YcsbRedis extends DB {

  private static final String KEYS = "_indices";

  private final Jedis redis;

  private YcsbRedis(Jedis redis) {
    this.redis = redis;
  }

  public static void main(String[] port) throws Exception {
    YcsbDriver.serve(
        () -> () -> new YcsbRedis(new Jedis("127.0.0.1", Integer.parseInt(port[0]), 20_000)),
        new Properties());
  }

  private static void give(
      Map<String, String> found, Set<String> fields, Map<String, ByteIterator> result) {
    found.forEach(
        (field, value) -> {
          if (fields == null || fields.contains(field)) {
            result.put(field, new StringByteIterator(value));
          }
        });
  }

  private static Map<String, String> texts(Map<String, ByteIterator> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((field, value) -> texts.put(field, value.toString()));
    return texts;
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    Map<String, String> found = redis.hgetAll(key);
    give(found, fields, result);
    return found.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    List<String> keys = redis.zrangeByLex(KEYS, "[" + startKey, "+", 0, count);
    List<Response<Map<String, String>>> found = new ArrayList<>();
    Pipeline pipeline = redis.pipelined();
    keys.forEach(key -> found.add(pipeline.hgetAll(key)));
    pipeline.sync();
    for (Response<Map<String, String>> record : found) {
      HashMap<String, ByteIterator> values = new HashMap<>();
      give(record.get(), fields, values);
      result.add(values);
    }
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    redis.hset(key, texts(values));
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    Pipeline pipeline = redis.pipelined();
    pipeline.hset(key, texts(values));
    pipeline.zadd(KEYS, 0, key);
    pipeline.sync();
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    Pipeline pipeline = redis.pipelined();
    Response<Long> deleted = pipeline.del(key);
    pipeline.zrem(KEYS, key);
    pipeline.sync();
    return deleted.get() == 0 ? Status.NOT_FOUND : Status.OK;
  }
}
