package gauges

import "redline/bench"

// engines are the kinds of servers that are known, with the names of what they tell: newest first, with '_' for ':' and without _total. Where one hosts
// another, the one that is nearer to what is computed stands first.
var engines = []*engine{vllm, sglang, tensorRT, lmdeploy, tgi, llamaCpp, triton, dynamo, dynamoWorker, dcgm, dcgmOlder}

var vllm = &engine{
	name: "vLLM", prefix: "vllm_", about: &about{"/version", ofVersion},
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {reads("vllm_num_requests_running")},
		// Requests that were swapped out wait as well.
		bench.ServerWaiting: {{form: reading, of: terms("vllm_num_requests_waiting", "vllm_num_requests_swapped"), scale: 1}, reads("vllm_num_requests_waiting")},
		bench.KVUsage:       {reads("vllm_kv_cache_usage_perc"), reads("vllm_gpu_cache_usage_perc")},
		bench.PrefixHits: {
			shares("vllm_prefix_cache_hits", "vllm_prefix_cache_queries"), shares("vllm_gpu_prefix_cache_hits", "vllm_gpu_prefix_cache_queries"),
			reads("vllm_gpu_prefix_cache_hit_rate"),
		},
		bench.Preemptions:    {counts("vllm_num_preemptions")},
		bench.PromptRate:     {counts("vllm_prompt_tokens")},
		bench.GenerationRate: {counts("vllm_generation_tokens")},
		bench.ServerTTFT:     {mean("vllm_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("vllm_inter_token_latency_seconds").times(1000), mean("vllm_time_per_output_token_seconds").times(1000)},
		bench.ServerQueue:    {mean("vllm_request_queue_time_seconds").times(1000)},
		bench.ServerE2E:      {mean("vllm_e2e_request_latency_seconds").times(1000)},
		bench.Accepted:       {shares("vllm_spec_decode_num_accepted_tokens", "vllm_spec_decode_num_draft_tokens")},
	},
	ttft: seconds("vllm_time_to_first_token_seconds"), itl: seconds("vllm_inter_token_latency_seconds", "vllm_time_per_output_token_seconds"),
	queue: seconds("vllm_request_queue_time_seconds"),
	kv:    []capacity{{info: "vllm_cache_config_info", labels: []string{"num_gpu_blocks", "block_size"}}},
}

var llamaCpp = &engine{
	name: "llama.cpp", prefix: "llamacpp_", about: &about{"/props", ofLlama}, late: true,
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning:  {reads("llamacpp_requests_processing")},
		bench.ServerWaiting:  {reads("llamacpp_requests_deferred")},
		bench.KVUsage:        {reads("llamacpp_kv_cache_usage_ratio")},
		bench.PrefixHits:     {shares("llamacpp_prompt_tokens_cached", "llamacpp_prompt_tokens", "llamacpp_prompt_tokens_cached")},
		bench.PromptRate:     {counts("llamacpp_prompt_tokens")},
		bench.GenerationRate: {counts("llamacpp_tokens_predicted")},
		bench.ServerITL:      {shares("llamacpp_tokens_predicted_seconds", "llamacpp_tokens_predicted").times(1000)},
		bench.Accepted: {
			shares("llamacpp_spec_decode_num_accepted_tokens", "llamacpp_spec_decode_num_draft_tokens"),
			shares("llamacpp_tokens_drafted_accepted", "llamacpp_tokens_drafted"),
		},
	},
}

var sglang = &engine{
	name: "SGLang", prefix: "sglang_", late: true,
	// Ranks of one replica (dp_rank) say the same; of priorities the empty one is all.
	repeats: []string{"tp_rank", "pp_rank", "moe_ep_rank"}, totals: []label{{"priority", ""}, {"cache_source", "total"}},
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {reads("sglang_num_running_reqs")},
		bench.ServerWaiting: {reads("sglang_num_queue_reqs")},
		bench.KVUsage: {
			reads("sglang_token_usage"), {form: reading, of: terms("sglang_num_used_tokens"), per: terms("sglang_max_total_num_tokens"), scale: 1},
			{form: reading, of: terms("sglang_kv_used_tokens"), per: terms("sglang_max_total_num_tokens"), scale: 1}, reads("sglang_full_token_usage"),
		},
		// The gauge of hits is of one prefill alone, and 0 while there is none.
		bench.PrefixHits:     {shares("sglang_cached_tokens", "sglang_prompt_tokens"), reads("sglang_cache_hit_rate")},
		bench.Preemptions:    {counts("sglang_num_retracted_requests")},
		bench.PromptRate:     {counts("sglang_prompt_tokens")},
		bench.GenerationRate: {counts("sglang_generation_tokens"), reads("sglang_gen_throughput")},
		bench.ServerTTFT:     {mean("sglang_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("sglang_inter_token_latency_seconds").times(1000), mean("sglang_time_per_output_token_seconds").times(1000)},
		bench.ServerQueue:    {mean("sglang_queue_time_seconds").times(1000)},
		bench.ServerE2E:      {mean("sglang_e2e_request_latency_seconds").times(1000)},
		bench.Accepted:       {reads("sglang_spec_accept_rate")},
	},
	ttft: seconds("sglang_time_to_first_token_seconds"), itl: seconds("sglang_inter_token_latency_seconds", "sglang_time_per_output_token_seconds"),
	queue: seconds("sglang_queue_time_seconds"),
	kv:    []capacity{{of: terms("sglang_max_total_num_tokens")}},
}

var lmdeploy = &engine{
	name: "LMDeploy", prefix: "lmdeploy_",
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning:  {reads("lmdeploy_num_requests_running")},
		bench.ServerWaiting:  {reads("lmdeploy_num_requests_waiting")},
		bench.KVUsage:        {reads("lmdeploy_gpu_cache_usage_perc")},
		bench.PromptRate:     {counts("lmdeploy_prompt_tokens")},
		bench.GenerationRate: {counts("lmdeploy_generation_tokens")},
		bench.ServerTTFT:     {mean("lmdeploy_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("lmdeploy_time_per_output_token_seconds").times(1000)},
		bench.ServerQueue:    {mean("lmdeploy_request_queue_time_seconds").times(1000)},
		bench.ServerE2E:      {mean("lmdeploy_e2e_request_latency_seconds").times(1000)},
	},
	ttft: seconds("lmdeploy_time_to_first_token_seconds"), itl: seconds("lmdeploy_time_per_output_token_seconds"),
	queue: seconds("lmdeploy_request_queue_time_seconds"),
}

// tgi tells lengths as histograms, of which the sums are the tokens; its time a token is a mean of each request.
var tgi = &engine{
	name: "TGI", prefix: "tgi_", about: &about{"/info", ofTGI}, late: true,
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning:  {reads("tgi_batch_current_size")},
		bench.ServerWaiting:  {reads("tgi_queue_size")},
		bench.PromptRate:     {counts("tgi_request_input_length_sum")},
		bench.GenerationRate: {counts("tgi_request_generated_tokens_sum")},
		bench.ServerITL:      {mean("tgi_request_mean_time_per_token_duration").times(1000)},
		bench.ServerQueue:    {mean("tgi_request_queue_duration").times(1000)},
		bench.ServerE2E:      {mean("tgi_request_duration").times(1000)},
	},
	queue: seconds("tgi_request_queue_duration"),
}
